/**
 * What one poll delivers at most, and holds until then, in bytes as `Answer` counts them; the page that
 * passes it is still taken. As objects, entries and scans take several times as much.
 */
export const LARGEST_BATCH = 32 * 1024 * 1024;

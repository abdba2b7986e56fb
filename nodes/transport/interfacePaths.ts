/** Below here the scanning service has all its operations (interface.md, Endpoints). */
export const SCANNING_ROOT = '/api/v1/';

/** The audit log: read only, and without a version segment (interface.md, Endpoints and Versioning). */
export const ENTRIES_PATH = '/api/admin-audit-log-entries';

/**
 * Most characters of a key that V8 looks at when it hashes it. Longer ones of one length all collide: a
 * few thousand as keys of a `Map`, or as names of objects, take many seconds.
 */
export const LONGEST_HASHED = 16_383;

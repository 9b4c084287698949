/** The pattern of the size of a page. */
export const pageSizePattern = '^([1-9][0-9]?|100)$'

/** The pattern of 32 bytes, such as a hash. */
export const hex32Pattern = '^0x[0-9a-fA-F]{64}$'

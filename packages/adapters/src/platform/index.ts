export { memoize } from './memoize.ts'
export { releaseBuffer } from './release-buffer.ts'

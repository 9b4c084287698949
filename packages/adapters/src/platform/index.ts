export { memoize } from './memoize.ts'
export { rejectAfter } from './reject-after.ts'
export { releaseBuffer } from './release-buffer.ts'
export { testAccounts } from './test-accounts.ts'

import { describe, test } from 'vitest'
import { type DescribeLaws, describeLawsWith } from './describe-laws.ts'

export type { DescribeLaws }

/** Turns laws into one vitest test each, every one on a fresh subject. */
export const describeLaws: DescribeLaws = describeLawsWith({ describe, test, skip: test.skip })

import { describe, test } from 'node:test'
import { type DescribeLaws, describeLawsWith } from './describe-laws.ts'

export type { DescribeLaws }

/** Declares one test of `node --test` for each law, each on a fresh subject. */
export const describeLaws: DescribeLaws = describeLawsWith({ describe, test, skip: test.skip })

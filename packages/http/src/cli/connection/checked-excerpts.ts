import { hash as digestOf } from 'node:crypto'
import { type Excerpt, hash, isUnderRoot } from '@heirloom/core'
import type { Excerpts } from '../../client/responses.ts'

/** Returns the excerpts whose proofs lead to the root. */
export function checkedExcerpts({ root, excerpts }: Excerpts): readonly Excerpt[] {
  if (root === null) return []
  return excerpts
    .filter((it) => isUnderRoot(it, hash(root), sha256))
    .map(({ pointer, value }) => ({ pointer, value }))
}

const sha256 = (bytes: Uint8Array): Uint8Array => digestOf('sha256', bytes, 'buffer')

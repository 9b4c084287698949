import { hash as digestOf } from 'node:crypto'
import { hash, isUnderRoot } from '@heirloom/core'
import type { Excerpts } from '../../client/responses.ts'

/** Returns the excerpts whose proofs lead to the root, with these proofs. */
export const checkedExcerpts = ({ root, excerpts }: Excerpts): Excerpts['excerpts'] =>
  root === null ? [] : excerpts.filter((it) => isUnderRoot(it, hash(root), sha256))

const sha256 = (bytes: Uint8Array): Uint8Array => digestOf('sha256', bytes, 'buffer')

import type { Lineage } from './responses.ts'

/**
 * Returns the creator of the source of a token, the snapshot at the end of its chain of licensed
 * forks; `undefined` where too many forks are between.
 */
export function sourceCreator({ token, ancestors }: Lineage): string | undefined {
  let source = token
  for (const { token: ancestor } of ancestors) {
    if (source.link !== 'fork' || ancestor.tokenId !== source.parent) break
    source = ancestor
  }
  return source.link === 'fork' ? undefined : source.creator
}

import {
  courseOf,
  type MigratingToken,
  type MigrationCourse,
  planMigration,
  type TokenId,
} from '@heirloom/core'
import type { Round } from '../../server/migration/migration-journal.ts'

/** The rules of what a round may sign and offer. */
export type RoundRules = {
  /** Returns whether the key of an account is here. */
  readonly signs: (account: string) => boolean
  /** Returns whether the listing of a token is carried over. */
  readonly lists: (token: MigratingToken) => boolean
}

/** Returns the rules of a round. */
export function rulesOf({ signers, listings }: Pick<Round, 'signers' | 'listings'>): RoundRules {
  const known = new Set(signers.map((it) => it.toLowerCase()))
  const signs = (account: string) => known.has(account.toLowerCase())
  const allows = ({ terms }: MigratingToken) =>
    listings === 'all' || (listings === 'native' && terms.dollars === undefined)
  return { signs, lists: (token) => signs(token.owner) && allows(token) }
}

/** Returns the course of a round without the tokens that were transferred since its cut-off. */
export function courseWithout(round: Round, stale: ReadonlySet<TokenId>): MigrationCourse {
  const tokens = round.tokens.map((token) =>
    stale.has(token.tokenId) ? { ...token, obstacle: 'transferred-since' as const } : token,
  )
  const { signs } = rulesOf(round)
  return courseOf(planMigration({ tokens, signs, moved: new Map(round.moved) }).carried)
}

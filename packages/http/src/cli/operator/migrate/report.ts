import {
  currencyOf,
  isOffered,
  type MigratingToken,
  type MigrationCourse,
  type MigrationProgress,
  planMigration,
  type StayReason,
  type TokenId,
} from '@heirloom/core'
import type { NamedHeir, Round } from '../../../server/migration-journal.ts'
import { amountText, idsText } from '../../terminal/value-text.ts'
import type { CarriedName } from './carry-names.ts'
import type { MigrationCost } from './cost.ts'
import { rulesOf } from './run-round.ts'

/** The result of a migration, and what it leaves behind. */
export type MigrationReport = {
  readonly from: Round['from']
  readonly to: Round['to']
  readonly cutOff: Round['cutOff']
  readonly tokens: number
  /** The tokens that are in the new registry: their old and new ids, and the owner at the cut-off. */
  readonly moved: readonly Moved[]
  /** The tokens that the plan still carries over. */
  readonly open: number
  readonly staying: readonly Staying[]
  /** The listings of others, which only their owners can make again. */
  readonly unlisted: readonly Unlisted[]
  /** The rentals of contracts, or of accounts whose key is public, which are not carried over. */
  readonly lostRentals: number
  /** The ratings of the old server, which stay there. */
  readonly lostRatings: number
  /** The owners whose heirs are named in the old registry alone. */
  readonly heirs: readonly NamedHeir[]
}

type Moved = { readonly from: TokenId; readonly to: TokenId; readonly owner: string }
type Staying = { readonly tokenId: TokenId; readonly reason: StayReason; readonly owner: string }
type Unlisted = Pick<MigratingToken, 'tokenId' | 'owner' | 'terms'> & {
  readonly newTokenId: TokenId | undefined
}

/**
 * Returns the report of a round. `course` is what it carries over; what the plan has and the course has
 * not was transferred since.
 */
export function reportOf(
  round: Round,
  { carried }: MigrationCourse,
  { moved }: MigrationProgress,
): MigrationReport {
  const { tokens, from, to, cutOff, lostRentals, lostRatings = 0, heirs = [] } = round
  const { signs, lists } = rulesOf(round)
  const { staying } = planMigration({ tokens, signs, moved: new Map(round.moved) })
  const isGoing = ({ tokenId }: MigratingToken) => carried.has(tokenId) || moved.has(tokenId)
  return {
    from,
    to,
    cutOff,
    lostRentals,
    lostRatings,
    heirs,
    tokens: tokens.length,
    open: [...carried.keys()].filter((id) => !moved.has(id)).length,
    moved: tokens.flatMap(({ tokenId, owner }) => {
      const id = moved.get(tokenId)
      return id === undefined ? [] : [{ from: tokenId, to: id, owner }]
    }),
    staying: tokens
      .filter((token) => !isGoing(token))
      .map(({ tokenId, owner }) => ({
        tokenId,
        owner,
        reason: staying.get(tokenId) ?? 'transferred-since',
      })),
    unlisted: tokens
      .filter((token) => isGoing(token) && isOffered(token) && !lists(token))
      .map(({ tokenId, owner, terms }) => ({
        tokenId,
        owner,
        terms,
        newTokenId: moved.get(tokenId),
      })),
  }
}

const reasons: Readonly<Record<StayReason, string>> = {
  'creator-absent': 'their creators must sign, and their keys are not here',
  'parent-stays': 'their parents are not carried over in this migration',
  copied: 'they are copies of memories of others',
  unreadable: 'their memories cannot be opened here',
  'owner-is-contract':
    'their owners are contracts, whose addresses may be others’ on the new chain',
  'key-is-public': 'the private keys of their owners or creators are public',
  'owner-is-contracts': 'their owners have the addresses of the new contracts',
  'there-with-another-owner': 'the new registry has them already, with other owners',
  'transferred-since': 'they were transferred after the cut-off',
}

/** Returns a report as lines for people. */
export function reportLines(report: MigrationReport): readonly string[] {
  const { from, to, cutOff, tokens, moved, open, staying, unlisted, heirs } = report
  const byReason = Map.groupBy(staying, ({ reason }) => reason)
  const stays = [...byReason].map(
    ([reason, all]) => `  ${idsText(all.map(({ tokenId }) => tokenId))}: ${reasons[reason]}`,
  )
  return [
    `From registry ${from.address} on chain ${from.chainId} to ${to.address} on chain ${to.chainId}, as of block ${cutOff.block}.`,
    `Of ${tokens} tokens ${moved.length} are carried over, ${open} are to be, and ${staying.length} stay.`,
    ...stays,
    ...unlisted.map(unlistedLine),
    ...lostLines(report),
    ...heirs.map(heirLine),
  ]
}

function lostLines({ lostRentals, lostRatings }: MigrationReport): readonly string[] {
  const rentals = `${lostRentals} running rentals of contracts or test accounts stay behind.`
  const ratings = lostRatings === 1 ? '1 rating stays' : `${lostRatings} ratings stay`
  return [
    ...(lostRentals === 0 ? [] : [rentals]),
    ...(lostRatings === 0 ? [] : [`${ratings} behind: each names a payment on the old contracts.`]),
  ]
}

/** Returns the command with which an owner names its heir again. */
const heirLine = ({ account, heir, silenceDays, noticeDays }: NamedHeir): string =>
  `${account} has the heir ${heir} in the old registry alone, and has to name it again itself: heirloom heir name ${heir} --silence ${silenceDays} --notice ${noticeDays}`

/** Returns the command with which an owner offers a token again. */
function unlistedLine({ tokenId, owner, terms, newTokenId }: Unlisted): string {
  const prices = terms.dollars ?? terms
  const unit = currencyOf(terms) === 'dollar' ? 'dollars' : 'wei'
  const amount = (value: bigint) => (unit === 'wei' ? `${value}` : `${Number(value) / 1e6}usd`)
  const options = [
    prices.price > 0n ? ` --price ${amount(prices.price)}` : '',
    prices.rentalPricePerDay > 0n ? ` --rent ${amount(prices.rentalPricePerDay)}` : '',
    prices.forkPrice > 0n ? ` --fork-price ${amount(prices.forkPrice)}` : '',
    terms.forkRoyaltyBps > 0 ? ` --royalty ${terms.forkRoyaltyBps}bps` : '',
  ]
  const what = `Token ${tokenId} was offered by ${owner}, who alone can offer it again`
  if (newTokenId === undefined) return `${what}.`
  return `${what}: heirloom list ${newTokenId}${options.join('')} --as-wallet`
}

/** Returns the old and the new id of each token as lines for people. */
export function statusLines(report: MigrationReport, isFinished: boolean): readonly string[] {
  const ids = report.moved.map(({ from, to, owner }) => `${from} -> ${to}  ${owner}`)
  const open = isFinished ? [] : ['The migration is not finished; the same command goes on.']
  return [...ids, ...reportLines(report), ...open]
}

/** The cost of what is left, and who pays. */
export type Price = MigrationCost & {
  readonly feePerGas: bigint
  readonly cost: bigint
  readonly payer: string
  readonly balance: bigint
}

/** Returns the price as lines for people. */
export function priceLines(price: Price): readonly string[] {
  const { transactions, gas, feePerGas, cost, payer, balance } = price
  const verdict = balance < cost ? 'which is not enough' : 'which is enough'
  return [
    `It takes ${transactions} transactions with at most ${gas} gas at up to ${feePerGas} wei: at most ${amountText(cost)}.`,
    `The wallet ${payer} pays and holds ${amountText(balance)}, ${verdict}.`,
  ]
}

/** Returns what became of the names as lines for people. */
export function nameLines(names: readonly CarriedName[]): readonly string[] {
  if (names.length === 0) return []
  const whole = names.filter(
    ({ versions, carried, left }) => left === undefined && carried === versions,
  )
  return [
    `Of ${names.length} names ${whole.length} are carried over with all their versions.`,
    ...names.filter((it) => !whole.includes(it)).map(nameLine),
  ]
}

const nameLine = ({ owner, name, versions, carried, left }: CarriedName): string =>
  left === undefined
    ? `  ${name} of ${owner} has ${carried} of its ${versions} versions, because the token of the next one stays.`
    : `  ${name} of ${owner} stays, because ${leftReasons[left]}.`

const leftReasons: Readonly<Record<Required<CarriedName>['left'], string>> = {
  different: 'the new server has other versions under this name',
  held: 'a save holds it there; run this again when the new server has been started once',
  elsewhere: 'the new server has its versions under another name',
}

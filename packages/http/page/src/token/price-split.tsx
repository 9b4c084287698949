import type { Split } from '../../../src/client/responses.ts'
import { currencyOf, deployment } from '../api/deployment.ts'
import { Account, CopyableAccount, useEnsName } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { formatCsv, saveCsv } from '../parts/save-file.ts'
import { ButtonLine } from '../parts/section.tsx'
import { Table } from '../parts/table.tsx'
import { isSameAccount, shortenAccount, shortenName } from '../text/account.ts'
import {
  type Currency,
  type CurrencyKind,
  formatAmount,
  formatShortAmount,
} from '../text/amount.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'

type Props = {
  readonly split: Split
  readonly currency: CurrencyKind
  readonly seller: string
  readonly tokenId: string
  /** Whether the price is about to be paid, is requested, or is an example. */
  readonly price: 'paid' | 'requested' | 'example'
  /** Whether it is in a dialog, which no link leads away from. */
  readonly isInDialog?: boolean
}

/** Shows who receives which part of a price: as a table, or in a sentence if it is one account. */
export function PriceSplit(props: Props): JSX.Element {
  const { split, seller, price } = props
  const shares = listShares(split, seller)
  const [only] = shares
  if (only === undefined) return <p class="split">Nothing is paid.</p>
  if (shares.length > 1) return <SplitTable {...props} shares={shares} />
  return <OnlyShare share={only} when={price} />
}

type OnlyProps = { readonly share: Share; readonly when: Props['price'] }

function OnlyShare({ share, when }: OnlyProps): JSX.Element {
  const isServer = isSameAccount(share.to, deployment.value?.agent)
  const name = useEnsName(share.to) ?? (isServer ? 'the wallet of this server' : undefined)
  const you = connectedWallet.value?.account
  const shown = name === undefined ? undefined : shortenName(name)
  return <p class="split">{describeOnlyShare(share, { when, you, name: shown })}</p>
}

type TableProps = Props & { readonly shares: readonly Share[] }

function SplitTable(props: TableProps): JSX.Element {
  const { split, tokenId, price, isInDialog, shares } = props
  const currency = currencyOf(props.currency)
  const amount = formatShortAmount(BigInt(split.price), currency)
  const name = {
    paid: `Who receives the ${amount}`,
    requested: `Who is paid when it is sold for ${amount}`,
    example: 'Who would be paid if it were sold',
  }[price]
  const hasAmounts = price !== 'example'
  const csv = () => splitCsv(shares, hasAmounts ? currency : undefined)
  const save = () => saveCsv(csv(), `split-of-no-${tokenId}.csv`)
  return (
    <div class="split" {...(isInDialog !== true && { id: 'split' })}>
      <Table
        name={name}
        isTitled
        columns={['Recipient', 'Share', ...(hasAmounts ? ['Amount'] : [])]}
      >
        {shares.map((share) => (
          <ShareRow key={share.tokenId} {...props} share={share} hasAmounts={hasAmounts} />
        ))}
      </Table>
      {isInDialog !== true && <ButtonLine name="Save as CSV" onClick={save} />}
    </div>
  )
}

type RowProps = Pick<Props, 'split' | 'currency' | 'isInDialog'> & {
  readonly share: Share
  readonly hasAmounts: boolean
}

function ShareRow(props: RowProps): JSX.Element {
  const { split, currency, share, hasAmounts, isInDialog = false } = props
  const { to, amount, percent, tokenId } = share
  return (
    <tr>
      <th scope="row">
        {isInDialog ? <CopyableAccount of={to} /> : <Account of={to} />}{' '}
        <small class="role">
          {tokenId === undefined || isInDialog ? (
            describeRole(share)
          ) : (
            <>
              creator of <a href={`/token/${tokenId}`}>No. {tokenId}</a>
            </>
          )}
        </small>
      </th>
      <td>
        {percent}
        <ShareBar part={amount} whole={BigInt(split.price)} />
      </td>
      {hasAmounts && (
        <td>
          <Amount of={amount} currency={currency} />
        </td>
      )}
    </tr>
  )
}

type BarProps = { readonly part: bigint; readonly whole: bigint }

/** Draws a share of a whole as a bar; the percentage beside it says the same. */
export function ShareBar({ part, whole }: BarProps): JSX.Element {
  return (
    <svg
      class="share"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="whole" width={100} height={6} />
      <rect class="part" width={Number((part * 10_000n) / whole) / 100} height={6} />
    </svg>
  )
}

/** A recipient of a part of a price, and why it is paid. */
type Share = {
  readonly to: string
  readonly amount: bigint
  readonly percent: string
  /** The token whose creator is paid; absent for the seller. */
  readonly tokenId?: string
}

/** Lists the shares of a price, the seller's first; empty shares are omitted. */
export function listShares(split: Omit<Split, 'currency'>, seller: string): readonly Share[] {
  const price = BigInt(split.price)
  return [{ to: seller, amount: split.rest }, ...split.royalties]
    .map((it) => ({ ...it, amount: BigInt(it.amount) }))
    .filter(({ amount }) => amount > 0n)
    .map((it) => ({ ...it, percent: formatShare(it.amount, price) }))
}

/** Describes why a share is paid. */
const describeRole = ({ tokenId }: Pick<Share, 'tokenId'>): string =>
  tokenId === undefined ? 'owner' : `creator of No. ${tokenId}`

/** Those whom the only share of a price is described to, and when it is paid. */
type ShareView = {
  /** Whether the price is about to be paid, is requested, or would be at a sale of what is not for sale. */
  readonly when: 'paid' | 'requested' | 'example'
  /** The name of the recipient, if it has one. */
  readonly name?: string | undefined
  /** The account of the reader, if it is known. */
  readonly you?: string | undefined
}

/** Describes the payment of a whole price to one recipient, in a sentence. */
export function describeOnlyShare(share: Share, view: ShareView): string {
  const { when, you, name = shortenAccount(share.to) } = view
  const isYours = isSameAccount(share.to, you)
  const who = isYours ? 'you' : `the ${describeRole(share)}, ${name},`
  const verb = { paid: 'receive', requested: 'receive', example: 'would receive' }[when]
  const words = `${who} ${verb}${isYours || when === 'example' ? '' : 's'} the whole price.`
  if (when === 'paid') return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  const isSeller = isYours && share.tokenId === undefined
  return `${conditions[when][isSeller ? 'you' : 'others']}, ${words}`
}

const conditions = {
  requested: { you: 'If you sell it', others: 'If it is sold' },
  example: { you: 'If you sold it', others: 'If it were sold' },
} as const

/** Returns shares as comma-separated values; with a currency, the exact amounts, too. */
export function splitCsv(
  shares: readonly Share[],
  currency: Pick<Currency, 'decimals' | 'symbol'> | undefined,
): string {
  const rows = shares.map((share) => {
    const { to, amount, percent, tokenId = '' } = share
    const row = [to, describeRole(share), tokenId, percent]
    return currency === undefined ? row : [...row, formatAmount(amount, currency), currency.symbol]
  })
  const columns = ['recipient', 'role', 'memory', 'share']
  return formatCsv([currency === undefined ? columns : [...columns, 'amount', 'currency'], ...rows])
}

/** Formats a share of a whole with at most two decimals: `12.5 %`. */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0 %'
  const hundredths = (part * 10_000n + whole / 2n) / whole
  if (hundredths === 0n && part > 0n) return 'under 0.01 %'
  return `${Number(hundredths) / 100} %`
}

import type { JSX } from 'preact'
import { useEnsName } from '../api/ens-names.ts'
import { currencyOf } from '../currencies.ts'
import { deployment } from '../deployment.ts'
import { Account, CopyableAccount } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { saveFile } from '../parts/save-file.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { isSameAccount, shortenName } from '../text/account.ts'
import { formatShortAmount } from '../text/amount.ts'
import type { CurrencyKind } from '../text/currency.ts'
import {
  describeOnlyShare,
  describeRole,
  listShares,
  type PriceSplit as Parts,
  type Share,
  splitCsv,
} from '../text/describe-split.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'

type Props = {
  readonly split: Parts
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
  const save = () => {
    const csv = splitCsv(shares, hasAmounts ? currency : undefined)
    saveFile(new Blob([csv], { type: 'text/csv' }), `split-of-no-${tokenId}.csv`)
  }
  return (
    <div class="split" {...(isInDialog !== true && { id: 'split' })}>
      <ScrollArea class="scroll" name={name}>
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              <th scope="col">Recipient</th>
              <th scope="col">Share</th>
              {hasAmounts && <th scope="col">Amount</th>}
            </tr>
          </thead>
          <tbody>
            {shares.map((share) => (
              <ShareRow key={share.tokenId} {...props} share={share} hasAmounts={hasAmounts} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {isInDialog !== true && (
        <p class="buttons">
          <button type="button" onClick={save}>
            Save as CSV
          </button>
        </p>
      )}
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

/** Draws a share of a whole as a bar; the percentage beside it says the same. */
function ShareBar({ part, whole }: { readonly part: bigint; readonly whole: bigint }): JSX.Element {
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

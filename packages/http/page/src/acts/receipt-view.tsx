import type { Split, Token } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { Transaction } from '../parts/explorer-link.tsx'
import { Notice } from '../parts/notice.tsx'
import { Seal } from '../parts/seal.tsx'
import { Button, Fact } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { navigate } from '../route.ts'
import { useToken } from '../token/use-token.ts'
import { type Act, describeResult, getCurrency, getPayment, isPurchase } from './act.ts'
import type { Receipt } from './act-stage.ts'
import { openRequest, useRequest } from './pending-act.ts'

type Props = { readonly act: Act; readonly receipt: Receipt; readonly close: () => void }

/** Shows the receipt of an act. */
export function ReceiptView({ act, receipt, close }: Props): JSX.Element {
  const { hash, block, fee, feePayer, minted } = receipt
  const value = getPayment(act)
  const token = useActToken(act)
  return (
    <>
      <Gained token={token} />
      <Notice kind="good">
        <strong>{describeResult(act, receipt)}</strong>
      </Notice>
      <dl class="facts">
        <Fact name="Transaction" value={<Transaction hash={hash} />} />
        <Fact name="Block" value={block.toString()} />
        {value > 0n && (
          <Fact name="Paid" value={<Amount of={value} currency={getCurrency(act)} />} />
        )}
        <dt>Network fee</dt>
        <dd>
          <Amount of={fee} />
          {feePayer === 'server' && <small class="hint"> paid by this server</small>}
        </dd>
      </dl>
      <NextSteps act={act} minted={minted} close={close} />
    </>
  )
}

/** Shows the memory that an act was about, its seal drawn large; nothing of one without a public title. */
function Gained({ token }: { readonly token: Token | undefined }): JSX.Element | undefined {
  if (token === undefined || token.card === null) return undefined
  return (
    <div class="gained">
      <Seal hash={token.contentHash} />
      <p>
        <UserText of={token.card.title} />
      </p>
    </div>
  )
}

type NextStepsProps = {
  readonly act: Act
  /** The token that a fork or a mint minted. */
  readonly minted: string | undefined
  readonly close: () => void
}

/** Offers what a visitor wants after an act: to open what they paid for, or to see the fork. */
function NextSteps({ act, minted, close }: NextStepsProps): JSX.Element {
  const opened = useOpenable(act, minted)
  const open = () => {
    if (opened === undefined) return
    close()
    openRequest.value = opened
    if (location.pathname !== `/token/${opened}`) navigate(`/token/${opened}`)
  }
  const use = () => {
    close()
    navigate(`/token/${opened}?tab=overview`)
    useRequest.value = true
  }
  return (
    <p class="buttons">
      {opened !== undefined && <Button name="Open it now" class="main" onClick={open} />}
      {opened !== undefined && <Button name="Use it in my agent" onClick={use} />}
      {minted !== undefined && (
        <a
          class={opened === undefined ? 'button main' : 'button'}
          href={`/token/${minted}`}
          onClick={close}
        >
          {act.kind === 'mint' ? 'View and list for sale' : `View No. ${minted}`}
        </a>
      )}
      <Button
        name="Done"
        class={opened === undefined && minted === undefined ? 'main' : ''}
        onClick={close}
      />
    </p>
  )
}

/** Returns the token that a purchase allows to open; a copy opens nothing. */
function useOpenable(act: Act, minted: string | undefined): string | undefined {
  const originality = useActToken(act)?.originality
  if (!isPurchase(act) || originality === undefined || originality === 'copied') return undefined
  return act.kind === 'fork' ? minted : act.tokenId
}

/** Loads the token of an act that pays for it or sets its price. */
export const useActToken = (act: Act): Token | undefined =>
  useToken(getSplitPrice(act) !== undefined && 'tokenId' in act ? act.tokenId : undefined).value

/** Loads the split of the price of an act, or of the price that it sets. */
export function useActSplit(act: Act): Split | undefined {
  const price = getSplitPrice(act)
  const isShown = price !== undefined && 'tokenId' in act
  const input = isShown ? { tokenId: act.tokenId, price, limit: 1 } : undefined
  return useRead('lineage', input).value?.split
}

/** Returns the price whose split an act shows; `undefined` when it shows none. */
function getSplitPrice(act: Act): string | undefined {
  if (isPurchase(act)) return getPayment(act).toString()
  return act.kind === 'list' && act.terms.price !== '0' ? act.terms.price : undefined
}

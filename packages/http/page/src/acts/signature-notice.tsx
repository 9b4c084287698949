import type { JSX } from 'preact'
import { currencyOf, deployment } from '../api/deployment.ts'
import { CopyableAccount } from '../parts/account.tsx'
import { formatShortAmount } from '../text/amount.ts'
import { type Act, getPayment, isOrder, type Payment } from './act.ts'
import type { Cost } from './act-stage.ts'
import { validity } from './sign-order.ts'

type Props = { readonly act: Act; readonly cost: Cost | undefined }

const minutes = validity / 60

/** Says what the wallet is asked to sign, and who sends it, where that is no plain transaction. */
export function SignatureNotice({ act, cost }: Props): JSX.Element | undefined {
  if (cost === undefined) return undefined
  if (isOrder(act)) return <PaymentNotice act={act} cost={cost} />
  if (cost.feePayer === 'wallet') return undefined
  return (
    <p class="hint">
      You only sign: this server sends what you signed and pays the fee. Your wallet acts, not the
      server’s. The signature is valid for {minutes} minutes.
    </p>
  )
}

type PaymentProps = { readonly act: Payment; readonly cost: Cost }

/** Says what pays an order, and who sends it. */
function PaymentNotice({ act, cost: { isBatch, feePayer } }: PaymentProps): JSX.Element {
  const dollar = deployment.value?.dollar
  const price = formatShortAmount(getPayment(act), currencyOf('dollar'))
  const sent =
    feePayer === 'server'
      ? 'This server sends it and pays the network fee.'
      : 'Then you confirm the transaction that carries it out.'
  return (
    <p class="hint">
      {isBatch
        ? `Your wallet pays exactly ${price} and has this carried out in one step: both happen, or neither. It can do so for ${minutes} minutes.`
        : `You sign one payment of exactly ${price}, for this order alone; it is valid for ${minutes} minutes. ${sent}`}{' '}
      {dollar != null && (
        <>
          {dollar.symbol} is {dollar.name}, <CopyableAccount of={dollar.address} />.
        </>
      )}
    </p>
  )
}

/** Returns the label of the button that begins to sign or send an act. */
export function getConfirmLabel(act: Act, cost: Cost): string {
  if (isOrder(act) && !cost.isBatch) return 'Sign and pay'
  if (cost.feePayer === 'server') return 'Sign'
  return getPayment(act) === 0n ? 'Confirm' : 'Confirm and pay'
}

/** Says what the wallet waits for. */
export function describeSigning(act: Act, { feePayer, isBatch }: Cost): string {
  if (isOrder(act) && !isBatch) {
    return feePayer === 'server'
      ? 'Sign the payment in your wallet.'
      : 'Sign the payment in your wallet, then confirm the transaction.'
  }
  return feePayer === 'server'
    ? 'Sign the message in your wallet.'
    : 'Confirm the transaction in your wallet.'
}

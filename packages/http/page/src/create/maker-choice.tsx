import type { JSX } from 'preact'
import { deployment } from '../deployment.ts'
import { Amount } from '../parts/amount.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { shortenAccount } from '../text/account.ts'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'
import type { Maker, Making } from './maker.ts'
import { type MintEstimate, useMintEstimate } from './use-mint-estimate.ts'

type Props = {
  readonly making: Making
  readonly setMaker: (maker: Maker) => void
  readonly parent: string
  readonly hasCard: boolean
}

/** Shows who makes the memory, what that means and who pays, and lets a visitor with a wallet choose. */
export function MakerChoice({ making, setMaker, parent, hasCard }: Props): JSX.Element {
  const wallet = connectedWallet.value
  const isByWallet = making.maker === 'wallet'
  const estimate = useMintEstimate(isByWallet, { parent, hasCard })
  if (wallet === undefined) return <NoWallet />
  if (!making.isChoice) return <ByServer wallet={wallet} />
  return (
    <fieldset>
      <legend>Made by</legend>
      <Choice isChosen={isByWallet} choose={() => setMaker('wallet')}>
        <strong>Your wallet</strong>, {wallet.name} {shortenAccount(wallet.account)}. It is the
        creator, to whom the royalties of all forks go, and the owner. <Fee of={estimate} />
      </Choice>
      <Choice isChosen={!isByWallet} choose={() => setMaker('server')}>
        <strong>The wallet of this server</strong>, {shortenAgent()}. It pays the fee, and it is the
        creator, to whom the royalties go. Your wallet is the owner.
      </Choice>
      {isByWallet && estimate?.problem !== undefined && (
        <ProblemNotice problem={estimate.problem} />
      )}
    </fieldset>
  )
}

type ChoiceProps = {
  readonly isChosen: boolean
  readonly choose: () => void
  readonly children: JSX.Element | (JSX.Element | string)[]
}

function Choice({ isChosen, choose, children }: ChoiceProps): JSX.Element {
  return (
    <label class="check">
      <input type="radio" name="maker" checked={isChosen} onChange={choose} />
      <span>{children}</span>
    </label>
  )
}

function Fee({ of }: { readonly of: MintEstimate | undefined }): JSX.Element {
  const cost = of?.cost
  if (cost?.feePayer === 'server') {
    return <>It has too little money for the network fee: this server pays it, and you only sign.</>
  }
  if (cost === undefined) return <>It pays the network fee.</>
  return (
    <>
      It pays the network fee (<Amount of={cost.fee} />, estimated).
    </>
  )
}

const shortenAgent = () => shortenAccount(deployment.value?.agent ?? '')

function NoWallet(): JSX.Element {
  return (
    <Notice kind="warn">
      <p>
        <strong>No wallet is connected.</strong> The wallet of this server, {shortenAgent()}, makes
        the memory: it is its creator, to whom the royalties go, and its owner, so you could neither
        open nor list it. Connect your wallet first to be both.
      </p>
    </Notice>
  )
}

function ByServer({ wallet }: { readonly wallet: ConnectedWallet }): JSX.Element {
  return (
    <p>
      The owner will be <strong>{wallet.name}</strong>, {shortenAccount(wallet.account)}. The wallet
      of this server, {shortenAgent()}, makes the memory and pays for the mint: it is the creator,
      to whom the royalties go.
    </p>
  )
}

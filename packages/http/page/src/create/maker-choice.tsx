import type { Deployment } from '../../../src/client/responses.ts'
import type { Act } from '../acts/act.ts'
import type { Cost } from '../acts/act-stage.ts'
import { estimateCost } from '../acts/estimate-cost.ts'
import { usableWallet } from '../acts/use-act.ts'
import { deployment } from '../api/deployment.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Amount } from '../parts/amount.tsx'
import { Toggles } from '../parts/form-fields.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { shortenAccount } from '../text/account.ts'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'

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
  if (wallet === undefined) {
    return (
      <Notice kind="warn">
        <strong>No wallet is connected.</strong> The wallet of this server, {shortenAgent()}, would
        be its creator and its owner: you could neither open nor list it. Connect yours first.
      </Notice>
    )
  }
  if (!making.isChoice) {
    return (
      <p>
        The owner will be <strong>{wallet.name}</strong>, {shortenAccount(wallet.account)}. The
        wallet of this server, {shortenAgent()}, makes the memory and pays for the mint: it is the
        creator, to whom the royalties go.
      </p>
    )
  }
  return (
    <>
      <Toggles
        class="makers"
        legend="Made by"
        values={['wallet', 'server'] as const}
        chosen={making.maker}
        choose={setMaker}
        show={(it) =>
          it === 'wallet' ? (
            <>
              <strong>Your wallet</strong>, {wallet.name} {shortenAccount(wallet.account)}. It is
              the creator, to whom the royalties of all forks go, and the owner.{' '}
              <Fee of={estimate} />
            </>
          ) : (
            <>
              <strong>The wallet of this server</strong>, {shortenAgent()}. It pays the fee, and it
              is the creator, to whom the royalties go. Your wallet is the owner.
            </>
          )
        }
      />
      <ProblemNotice problem={isByWallet ? estimate?.problem : undefined} />
    </>
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
      It pays the network fee (<Amount of={cost.fee} isDue />, estimated).
    </>
  )
}

const shortenAgent = () => shortenAccount(deployment.value?.agent ?? '')

/** The maker of a memory, and so its creator: the wallet of the visitor, or that of the server. */
export type Maker = 'wallet' | 'server'

/** The maker of a memory, and the conditions of the server. */
export type Making = Readonly<ReturnType<typeof decideMaking>>

type Place = {
  /** The deployment; an older server names no open acts. */
  readonly deployment: Partial<Pick<Deployment, 'origin' | 'openActs'>>
  /** Whether a wallet is connected that can reach the chain. */
  readonly hasWallet: boolean
  /** The origin of this page. */
  readonly origin: string
}

/** Decides who makes a memory, by what the server offers and what the visitor chose. */
export function decideMaking(chosen: Maker, { deployment, hasWallet, origin }: Place) {
  const { openActs } = deployment
  // A wallet signs for one server by its name; another name would be for another server.
  const isOffered = openActs !== undefined && deployment.origin === origin
  const isChoice = isOffered && hasWallet
  const maker = isChoice ? chosen : 'server'
  const act = maker === 'wallet' ? 'seal' : 'snapshot'
  return {
    maker,
    /** Whether the visitor may choose the maker. */
    isChoice,
    /** Whether the server wants an access key for it. */
    needsKey: openActs !== undefined && !openActs.includes(act),
    /** Whether a wallet would need no access key. */
    isOpenToWallets: isOffered && openActs.includes('seal'),
  }
}

/** The cost of a mint, or why it would fail. */
type MintEstimate = { readonly cost?: Cost; readonly problem?: Problem }

type Content = {
  /** Empty without a parent. */
  readonly parent: string
  readonly hasCard: boolean
}

/** The pause in typing before an estimate, in milliseconds. */
const debounce = 300

/**
 * Estimates the cost of a mint before anything is sealed; `undefined` until it is known. An estimate
 * stays until the next one comes, so that nothing moves while someone types.
 */
function useMintEstimate(isShown: boolean, content: Content): MintEstimate | undefined {
  const wallet = usableWallet()
  const { parent, hasCard } = content
  const payer = isShown ? wallet : undefined
  const estimate = async (of: ConnectedWallet): Promise<MintEstimate> =>
    estimateCost(mintLike(of, { parent, hasCard }), of).then(
      (cost) => ({ cost }),
      (error: unknown) => ({ problem: toProblem(error) }),
    )
  const { last } = useAnswer(
    async () => ({ payer, estimate: payer && (await estimate(payer)) }),
    [payer, parent, hasCard],
    debounce,
  )
  return last?.payer === payer ? last?.estimate : undefined
}

/** A hash in the place of those that are not known before the memory is sealed. */
const anyHash = `0x${'ab'.repeat(32)}` as const

/** Returns a mint that costs as much as that of a memory. */
function mintLike({ account }: ConnectedWallet, { parent, hasCard }: Content): Act {
  const { chainId = 0, registry = '0x' } = deployment.value ?? {}
  return {
    kind: 'mint',
    seal: {
      contentHash: anyHash,
      digest: anyHash,
      ...(hasCard && { card: anyHash }),
      parent: parent === '' ? '0' : parent,
      creator: account,
      chainId,
      registry,
      expiresAt: Number.MAX_SAFE_INTEGER,
      name: '',
    },
  }
}

import { useEffect, useState } from 'preact/hooks'
import type { Hex } from 'viem'
import type { Token } from '../../../src/client/responses.ts'
import { type Terms, termsOf } from '../acts/listing-terms.ts'
import { openAct, openRequest } from '../acts/pending-act.ts'
import { usableWallet } from '../acts/use-act.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { Account } from '../parts/account.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { shortenAccount } from '../text/account.ts'
import { formatDay } from '../text/moment.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { Contents } from './contents.tsx'
import { type DownloadedMemory, type DownloadStep, downloadMemory } from './download-memory.ts'

type Props = {
  readonly token: Token
  /** Whether the connected wallet has access now; `undefined` where that is not known. The server checks. */
  readonly mayOpen: boolean | undefined
  /** The grant by which the wallet reads, where it has no right of its own. */
  readonly grant: Hex | undefined
}

/** Downloads a memory for its owner or a renter, and shows it. */
export function OpenMemory({ token, ...right }: Props): JSX.Element {
  return (
    <section class="open" aria-labelledby="open">
      <h2 id="open" tabIndex={-1}>
        Contents
      </h2>
      {whyClosed(token) !== undefined ? (
        <p class="hint">{whyClosed(token)}</p>
      ) : (
        <Gate token={token} {...right} key={connectedWallet.value?.account ?? ''} />
      )}
    </section>
  )
}

/** Returns why nobody can open a token; `undefined` if some can. */
function whyClosed({ erasedAt, originality }: Token): string | undefined {
  if (erasedAt !== null) return 'Nobody can open this token: its memory was erased for its owner.'
  if (originality !== 'copied') return undefined
  return 'Nobody can open this token: the memory was sealed for another creator.'
}

type State = {
  readonly step?: DownloadStep
  readonly problem?: Problem
  readonly opened?: DownloadedMemory
}

function Gate({ token, mayOpen, grant }: Props): JSX.Element {
  const { tokenId } = token
  const [state, setState] = useState<State>({})
  const wallet = usableWallet()
  const open = () => {
    if (wallet === undefined) return
    const onStep = (step: DownloadStep) => setState({ step })
    downloadMemory(tokenId, { wallet, grant, onStep }).then(
      (opened) => setState({ opened }),
      (error: unknown) => setState({ problem: toProblem(error) }),
    )
  }
  useOpenRequest(wallet === undefined ? undefined : tokenId, open)
  useEffect(() => setState(withoutProblem), [openAct.value, mayOpen])
  if (state.opened !== undefined) {
    return (
      <>
        <ReadUntil granted={state.opened.granted} owner={token.owner} />
        <Contents token={token} opened={state.opened} />
      </>
    )
  }
  if (connectedWallet.value === undefined) {
    return <p class="hint">Connect the wallet of the owner, a renter or a reader to open it.</p>
  }
  if (wallet === undefined) return <WrongChain />
  if (state.step !== undefined) return <Step step={state.step} />
  if (mayOpen === false && state.problem === undefined) return <NoAccess token={token} />
  return (
    <>
      {grant === undefined ? (
        <ProblemNotice problem={state.problem} />
      ) : (
        <GrantLink problem={state.problem} owner={token.owner} />
      )}
      <p class="hint">
        Sign a message to prove it is your wallet. It costs nothing. This page checks the memory
        against the chain before it shows it.
      </p>
      <ButtonLine name="Open the memory" class="main" onClick={open} />
    </>
  )
}

type LinkProps = { readonly problem: Problem | undefined; readonly owner: string }

/** Says whose grant a link is of, and where the server refused it, what to do instead. */
function GrantLink({ problem, owner }: LinkProps): JSX.Element {
  if (problem === undefined) {
    return (
      <p>
        <Account of={owner} /> shared this memory with one account. If that is yours, open it.
      </p>
    )
  }
  const remedy = `Connect the account that ${shortenAccount(owner)} shared it with, or ask for a new link.`
  const refused = new Problem('This link does not open it for this wallet.', remedy, problem)
  return <ProblemNotice problem={problem.code === 'access/denied' ? refused : problem} />
}

type ReadUntilProps = Pick<DownloadedMemory, 'granted'> & Pick<Token, 'owner'>

/** Says who lets its reader read, and until when, where a grant does. */
function ReadUntil({ granted, owner }: ReadUntilProps): JSX.Element | null {
  if (granted === undefined) return null
  const { name, maySave, until } = granted
  return (
    <p>
      <Account of={owner} /> lets you read{' '}
      {name === null ? 'this memory' : <UserText of={`all versions of ${name}`} />}
      {maySave && ', and save to it,'} until {formatDay(until)} (UTC), as long as it owns{' '}
      {name === null ? 'it' : 'them'} and does not take that back.
    </p>
  )
}

function NoAccess({ token: { listing } }: { readonly token: Token }): JSX.Element {
  return (
    <p class="hint">
      This wallet neither owns nor rents this memory.{' '}
      {howToOpen(listing === null ? undefined : termsOf(listing))}
    </p>
  )
}

/** Removes an old problem, which says nothing about the next try. */
const withoutProblem = (state: State): State => (state.problem === undefined ? state : {})

/** Opens the memory that its visitor has just paid for, and moves there. */
function useOpenRequest(tokenId: string | undefined, open: () => void): void {
  const isDue = tokenId !== undefined && openRequest.value === tokenId
  useEffect(() => {
    if (!isDue) return
    openRequest.value = undefined
    const heading = document.getElementById('open')
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView()
    open()
  }, [isDue])
}

function Step({ step }: { readonly step: DownloadStep }): JSX.Element {
  if (step.at !== 'loading') {
    const texts = { signing: 'Waiting for your signature…', verifying: 'Verifying…' }
    return <p role="status">{texts[step.at]}</p>
  }
  const { loaded, total } = step
  return (
    <ProgressBar
      name="Downloading and decrypting"
      share={total === undefined ? undefined : loaded / total}
    />
  )
}

/** Describes what one can do to open a memory at its terms; those of one that is not listed are absent. */
export function howToOpen(terms: Terms | undefined): string {
  const isForSale = terms !== undefined && terms.price !== '0'
  const isForRent = terms !== undefined && terms.rentalPricePerDay !== '0'
  const ways = [isForSale ? ['buy'] : [], isForRent ? ['rent'] : []].flat().join(' or ')
  if (ways === '') return 'It is offered neither for sale nor for rent now.'
  return `${ways.charAt(0).toUpperCase()}${ways.slice(1)} it to open it here.`
}

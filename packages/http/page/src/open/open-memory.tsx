import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Rental, Token } from '../../../src/client/responses.ts'
import { usable } from '../acts/use-act.ts'
import { ask } from '../api/request.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { useAsked } from '../api/use-resource.ts'
import { deployment } from '../deployment.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { shortHash } from '../text/account.ts'
import { connected } from '../wallet/connected-wallet.ts'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { type Opened, type OpenStep, openMemory } from './download-memory.ts'
import { isLetIn } from './has-access.ts'
import { Tree } from './tree.tsx'

/** Opens a memory for its owner or renter, proves it, and shows it. */
export function OpenMemory({ token }: { readonly token: Token }): JSX.Element {
  return (
    <section class="open" aria-labelledby="open">
      <h2 id="open">What is inside</h2>
      {token.originality === 'copied' ? (
        <p class="hint">Nobody can open it: the memory was sealed for somebody else.</p>
      ) : (
        <Gate token={token} key={connected.value?.account ?? ''} />
      )}
    </section>
  )
}

type State = {
  readonly step?: OpenStep
  readonly problem?: Problem
  readonly opened?: Opened
}

/** Tells whether an account is let in now; `undefined` until that is known. The server judges by itself. */
function useRight(token: Token, account: string | undefined): boolean | undefined {
  const path = `/api/memory/${token.tokenId}/rentals`
  const { value } = useAsked(path, (signal) =>
    ask<{ readonly items: readonly Rental[] }>(path, signal),
  )
  return isLetIn(account, token.owner, value?.items)
}

function Gate({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId } = token
  const hasRight = useRight(token, connected.value?.account)
  const [state, setState] = useState<State>({})
  const wallet = usable()
  const open = () => {
    if (wallet === undefined) return
    openMemory(tokenId, wallet, (step) => setState({ step })).then(
      (opened) => setState({ opened }),
      (error: unknown) => setState({ problem: problemOf(error) }),
    )
  }
  if (state.opened !== undefined) return <Contents tokenId={tokenId} opened={state.opened} />
  if (connected.value === undefined) {
    return <p class="hint">Connect a wallet to open it. Its owner and its renters can.</p>
  }
  if (wallet === undefined) return <WrongChain wanted={deployment.value?.chainId ?? 0} />
  if (hasRight === false) {
    return (
      <p class="hint">
        This wallet neither owns it nor rents it now. Buy it or rent it, and it opens here.
      </p>
    )
  }
  return (
    <>
      {state.problem !== undefined && <ProblemNotice problem={state.problem} />}
      {state.step === undefined ? (
        <>
          <p class="hint">
            You sign a sentence that names this memory and the time; nothing is paid. What comes is
            checked against the chain here, before it is shown.
          </p>
          <p class="buttons">
            <button type="button" class="main" onClick={open}>
              Open the memory
            </button>
          </p>
        </>
      ) : (
        <Step step={state.step} />
      )}
    </>
  )
}

function Step({ step }: { readonly step: OpenStep }): JSX.Element {
  if (step.at !== 'loading') {
    const words = { signing: 'Asking the wallet to sign…', verifying: 'Checking it…' }
    return <p role="status">{words[step.at]}</p>
  }
  const { loaded, total } = step
  return (
    <ProgressBar
      name="Downloading and unsealing"
      share={total === undefined ? undefined : loaded / total}
    />
  )
}

function Contents({ tokenId, opened }: { tokenId: string; opened: Opened }): JSX.Element {
  const { bytes, contentHash, salt } = opened
  const save = () => {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }))
    const link = Object.assign(document.createElement('a'), { href: url })
    link.download = `memory-${tokenId}.json`
    link.click()
    // The browser reads it after this turn.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
  return (
    <>
      <Notice kind="good">
        <p role="status">
          <strong>Verified in this browser.</strong> sha256 of the salt{' '}
          <code>{shortHash(salt)}</code> and these {bytes.length.toLocaleString('en')} bytes is{' '}
          <code>{shortHash(contentHash)}</code>, as the chain records.
        </p>
      </Notice>
      <p class="buttons">
        <button type="button" class="main" onClick={save}>
          Save it
        </button>
      </p>
      <Tree bytes={bytes} />
    </>
  )
}

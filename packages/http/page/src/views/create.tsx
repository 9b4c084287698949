import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Minted } from '../../../src/client/responses.ts'
import { lastMint } from '../acts/unminted-seals.ts'
import { readNow } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { isKeyRequired } from '../create/access-key.ts'
import { AccessKeyPanel } from '../create/access-key-panel.tsx'
import { type Created, CreatedMemory } from '../create/created-memory.tsx'
import { isTokenNumber, validateParent } from '../create/draft.ts'
import { DraftFields } from '../create/draft-fields.tsx'
import { DraftNotice } from '../create/draft-notice.tsx'
import { decideMaking, type Maker, type Making } from '../create/maker.ts'
import { PickFile } from '../create/pick-file.tsx'
import { PublicAndSealed } from '../create/public-and-sealed.tsx'
import { SealStep } from '../create/seal-step.tsx'
import { UnmintedList } from '../create/unminted-list.tsx'
import { useDraft } from '../create/use-draft.ts'
import { useExcerpts } from '../create/use-excerpts.ts'
import { usePicking } from '../create/use-picking.ts'
import { deployment } from '../deployment.ts'
import { useTitle } from '../use-title.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { isChainClosed } from '../wallet/rpc-provider.ts'

/** Creates a memory from a file. */
export function Create(): JSX.Element {
  useTitle('Create')
  const [byServer, setByServer] = useState<Created>()
  const forgetCreated = () => {
    setByServer(undefined)
    lastMint.value = undefined
  }
  useEffect(() => forgetCreated, [])
  const created = byServer ?? (lastMint.value && { ...lastMint.value, isOwn: true })
  const setMinted = (minted: Minted) =>
    setByServer({ ...minted, isOwn: connectedWallet.value !== undefined })
  return (
    <>
      <header class="welcome">
        <h1>Create a memory</h1>
        <p class="lead">
          The file is encrypted, stored, and proven by a token. You decide what is public.
        </p>
      </header>
      <div class="create">
        {created === undefined ? (
          <Form setMinted={setMinted} />
        ) : (
          <CreatedMemory created={created} startOver={forgetCreated} />
        )}
      </div>
    </>
  )
}

function Form({ setMinted }: { readonly setMinted: (minted: Minted) => void }): JSX.Element {
  const { source, draft, setSource, setDraft, startOver, ...stored } = useDraft()
  const [turn, setTurn] = useState(0)
  const [maker, setMaker] = useState<Maker>('wallet')
  const making = useMaking(maker)
  const excerpts = useExcerpts(source, draft)
  const parentProblem = useParentProblem(draft.parent)
  const picking = usePicking(setSource)
  const { picked } = picking
  const clear = () => {
    startOver()
    picking.cancel()
    setTurn(turn + 1)
  }
  return (
    <>
      <UnmintedList />
      {making.needsKey && (
        <AccessKeyPanel>
          Creating on this server needs an access key. Ask the operator for one
          {making.isOpenToWallets &&
            ', or connect a wallet and let it make the memory: that needs none'}
          .
        </AccessKeyPanel>
      )}
      <DraftNotice {...stored} source={source} discard={clear} />
      <PickFile key={turn} source={source} picking={picking} />
      {source !== undefined && (
        <>
          <DraftFields
            source={source}
            draft={draft}
            setDraft={setDraft}
            parentProblem={parentProblem}
          />
          <PublicAndSealed
            source={source}
            draft={draft}
            maker={making.maker}
            parent={parentProblem ? '' : draft.parent.trim()}
            excerpts={excerpts.shown}
          />
          <SealStep
            source={source}
            draft={draft}
            excerpts={excerpts.checked}
            parentProblem={parentProblem}
            making={making}
            setMaker={setMaker}
            setMinted={setMinted}
            startOver={clear}
            reading={picked.at === 'reading' ? picked.name : undefined}
            key={making.maker}
          />
        </>
      )}
    </>
  )
}

/** Decides who makes a memory, with the connected wallet and what this server offers. */
function useMaking(chosen: Maker): Making {
  const making = decideMaking(chosen, {
    deployment: deployment.value ?? {},
    hasWallet: connectedWallet.value !== undefined && !isChainClosed.value,
    origin: location.origin,
  })
  return isKeyRequired.value ? { ...making, needsKey: true } : making
}

/** The pause in typing before a parent is read, in milliseconds. */
const debounce = 300

/**
 * Checks that the parent of a draft is the number of a token that exists. Returns a sentence when it
 * is not, an empty text when nothing is wrong, and `undefined` until that is known.
 */
function useParentProblem(typed: string): string | undefined {
  const parent = typed.trim()
  const [problem, setProblem] = useState<string>()
  const hasParent = isTokenNumber(parent)
  useEffect(() => {
    setProblem(undefined)
    if (!hasParent) return
    const stop = new AbortController()
    const due = setTimeout(async () => {
      const found = await findProblem(parent, stop.signal)
      if (!stop.signal.aborted) setProblem(found)
    }, debounce)
    return () => {
      stop.abort()
      clearTimeout(due)
    }
  }, [parent])
  return hasParent ? problem : validateParent(parent)
}

async function findProblem(parent: string, signal: AbortSignal): Promise<string> {
  try {
    await readNow('lineage', { tokenId: parent }, signal)
    return ''
  } catch (error) {
    // Without an answer, the server checks it again before it seals.
    const isMissing = error instanceof Problem && error.code === 'token/not-found'
    return isMissing ? `No. ${parent} does not exist on this chain.` : ''
  }
}

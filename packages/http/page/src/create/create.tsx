import { useEffect, useState } from 'preact/hooks'
import type { Minted } from '../../../src/client/responses.ts'
import { lastMint } from '../acts/unminted-seals.ts'
import { deployment } from '../api/deployment.ts'
import { readNow } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Moment } from '../parts/moment.tsx'
import { NoticeBox } from '../parts/notice.tsx'
import { ButtonLine, Welcome } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { isChainClosed } from '../wallet/rpc-provider.ts'
import { isKeyRequired } from './access-key.ts'
import { AccessKeyPanel } from './access-key-panel.tsx'
import { type Created, CreatedMemory } from './created-memory.tsx'
import { isTokenNumber, validateParent } from './draft.ts'
import { DraftFields } from './draft-fields.tsx'
import { useExcerpts } from './excerpt-choice.tsx'
import { decideMaking, type Maker, type Making } from './maker-choice.tsx'
import { PickFile, usePicking } from './pick-file.tsx'
import { PublicAndSealed } from './public-and-sealed.tsx'
import { SealStep } from './seal-step.tsx'
import { UnmintedList } from './unminted-list.tsx'
import { type DraftState, useDraft } from './use-draft.ts'

/** Creates a memory from a file. */
export function Create(): JSX.Element {
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
      <Welcome title="Create a memory">
        The file is encrypted, stored, and proven by a token. You decide what is public.
      </Welcome>
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
  const shared = { draft, parentProblem }
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
          <DraftFields {...shared} source={source} setDraft={setDraft} />
          <PublicAndSealed
            {...shared}
            source={source}
            maker={making.maker}
            parent={parentProblem ? '' : draft.parent.trim()}
            excerpts={excerpts.shown}
          />
          <SealStep
            {...shared}
            source={source}
            excerpts={excerpts.checked}
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
  const hasParent = isTokenNumber(parent)
  const { fresh } = useAnswer(() => findProblem(hasParent ? parent : ''), [parent], debounce)
  return hasParent ? fresh : validateParent(parent)
}

async function findProblem(parent: string): Promise<string> {
  if (parent === '') return ''
  try {
    await readNow('lineage', { tokenId: parent, limit: 1 })
    return ''
  } catch (error) {
    // Without an answer, the server checks it again before it seals.
    const isMissing = error instanceof Problem && error.code === 'token/not-found'
    return isMissing ? `No. ${parent} does not exist on this chain.` : ''
  }
}

type Props = Pick<DraftState, 'source' | 'restoredAt' | 'isNotStored'> & {
  readonly discard: () => void
}

/** Shows that a draft is stored in this browser, and can be discarded. */
function DraftNotice({ source, restoredAt, isNotStored, discard }: Props) {
  if (source === undefined) return undefined
  return (
    <NoticeBox kind="plain">
      <p>
        {restoredAt === undefined ? (
          stored[isNotStored ? 'nowhere' : 'here']
        ) : (
          <>
            This is your draft of <UserText of={source.name} />, stored in this browser{' '}
            <Moment at={Math.floor(restoredAt / 1000)} />.
          </>
        )}
      </p>
      <ButtonLine name="Discard the draft" onClick={discard} />
    </NoticeBox>
  )
}

const stored = {
  here: 'The draft is stored in this browser, unencrypted, until it is sealed or discarded.',
  nowhere: 'This browser stores no drafts: what you enter is lost when you leave this page.',
}

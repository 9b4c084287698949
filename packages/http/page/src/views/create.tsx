import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Minted } from '../../../src/client/responses.ts'
import { CreatedMemory } from '../create/created-memory.tsx'
import { type Draft, emptyDraft } from '../create/draft.ts'
import { DraftFields } from '../create/draft-fields.tsx'
import { PickFile } from '../create/pick-file.tsx'
import { PublicAndSealed } from '../create/public-and-sealed.tsx'
import { SealStep } from '../create/seal-step.tsx'
import type { Source } from '../create/source.ts'
import { useTitle } from '../use-title.ts'

/** Creates a memory from a file. */
export function Create(): JSX.Element {
  useTitle('Create')
  const [source, setSource] = useState<Source>()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [minted, setMinted] = useState<Minted>()
  const startOver = () => {
    setSource(undefined)
    setDraft(emptyDraft)
    setMinted(undefined)
  }
  return (
    <>
      <header class="welcome">
        <h1>Create a memory</h1>
        <p class="lead">
          The file is encrypted, stored, and proven by a token. You decide what is public.
        </p>
      </header>
      {minted !== undefined ? (
        <CreatedMemory minted={minted} startOver={startOver} />
      ) : (
        <div class="create">
          <PickFile source={source} setSource={setSource} />
          {source !== undefined && (
            <>
              <DraftFields source={source} draft={draft} setDraft={setDraft} />
              <PublicAndSealed source={source} draft={draft} />
              <SealStep source={source} draft={draft} setMinted={setMinted} />
            </>
          )}
        </div>
      )}
    </>
  )
}

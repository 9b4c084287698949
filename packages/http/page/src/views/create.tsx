import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Minted } from '../../../src/client/responses.ts'
import { type Draft, emptyDraft } from '../create/draft.ts'
import { DraftFields } from '../create/draft-fields.tsx'
import { Finish } from '../create/seal-step.tsx'
import { Made } from '../create/created-memory.tsx'
import { Pick } from '../create/pick-file.tsx'
import { PublicAndSealed } from '../create/public-and-sealed.tsx'
import type { Source } from '../create/source.ts'
import { useTitle } from '../use-title.ts'

/** Makes a memory of a file. */
export function Create(): JSX.Element {
  useTitle('Create')
  const [source, setSource] = useState<Source>()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [minted, setMinted] = useState<Minted>()
  const again = () => {
    setSource(undefined)
    setDraft(emptyDraft)
    setMinted(undefined)
  }
  return (
    <>
      <header class="welcome">
        <h1>Create a memory</h1>
        <p class="lead">
          A file is sealed, stored, and proven by a token. You decide what anybody may see of it.
        </p>
      </header>
      {minted !== undefined ? (
        <Made minted={minted} again={again} />
      ) : (
        <div class="create">
          <Pick source={source} setSource={setSource} />
          {source !== undefined && (
            <>
              <DraftFields source={source} draft={draft} setDraft={setDraft} />
              <PublicAndSealed source={source} draft={draft} />
              <Finish source={source} draft={draft} setMinted={setMinted} />
            </>
          )}
        </div>
      )}
    </>
  )
}

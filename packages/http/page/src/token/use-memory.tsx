import { readFacts } from '@heirloom/core'
import { useEffect, useState } from 'preact/hooks'
import type { Hex } from 'viem'
import type { Token } from '../../../src/client/responses.ts'
import { useRequest } from '../acts/pending-act.ts'
import { findFormatName } from '../formats/describe-format.ts'
import { CopyButton } from '../parts/copyable.tsx'
import { Toggles } from '../parts/form-fields.tsx'
import { Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { keyMark, usesOf } from './uses.ts'

type Props = { readonly token: Token; readonly grant: Hex | undefined }

/** Shows how an agent or a program uses a memory, before and after it is bought, or by a grant. */
export function UseMemory({ token, grant }: Props): JSX.Element | undefined {
  const { tokenId, sample, erasedAt, originality } = token
  const [chosen, setChosen] = useState('Claude')
  useEffect(() => {
    if (!useRequest.value) return
    useRequest.value = false
    document.getElementById('use')?.scrollIntoView()
  }, [useRequest.value])
  if (erasedAt !== null || originality === 'copied') return undefined
  const { format } = readFacts(sample?.excerpts ?? [])
  const uses = usesOf({ tokenId, url: location.origin, format, grant })
  const use = uses.find(({ name }) => name === chosen)
  const known = format && findFormatName(format)
  return (
    <Section id="use" title="Use this memory">
      <p>
        Works with any agent that speaks MCP, and is saved as JSON
        {known !== undefined && known !== '' && known !== 'JSON' && ` or as ${known}`}.{' '}
        {grant === undefined
          ? 'Its owner and renters may open it.'
          : 'You may open it by this grant.'}
      </p>
      <Toggles
        class="toggles"
        legend="Into"
        values={uses.map(({ name }) => name)}
        chosen={chosen}
        choose={setChosen}
        show={(name) => name}
      />
      {use !== undefined && (
        <div class="use">
          <p class="hint">
            {use.about}
            {use.text.includes(keyMark) &&
              ` Put the key of your wallet in the place of “${keyMark}”.`}
          </p>
          <Sample text={use.text} name={`For ${use.name}`} />
          <CopyButton name="Copy" what={`text for ${use.name}`} read={() => use.text} />
        </div>
      )}
    </Section>
  )
}

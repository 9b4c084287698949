import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { deployment } from '../deployment.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Sample } from '../parts/sample.tsx'
import { citedFacts, citeForBibtex, citeInWords } from './citation.ts'

/** Shows how to cite a memory: for BibTeX, and in words. */
export function Cite({ token }: { readonly token: Token }): JSX.Element | undefined {
  if (deployment.value === undefined) return undefined
  const facts = citedFacts(token, deployment.value, location.origin)
  return (
    <details>
      <summary>Cite</summary>
      <Citation name="for BibTeX" text={citeForBibtex(facts)} />
      <Citation name="as a sentence" text={citeInWords(facts)} />
    </details>
  )
}

function Citation({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <Sample text={text} name={name} />
      <p>
        <CopyButton name={`Copy ${name}`} what={`citation ${name}`} read={() => text} />
      </p>
    </>
  )
}

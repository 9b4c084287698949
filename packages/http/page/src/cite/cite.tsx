import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { announce } from '../announce.ts'
import { deployment } from '../deployment.ts'
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
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(`Copied the citation: ${name}.`)
  }
  return (
    <>
      <Sample text={text} name={name} />
      <p>
        <button type="button" onClick={copy}>
          Copy {name}
        </button>
      </p>
    </>
  )
}

import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import type { Block } from '../viewer/markdown-block.ts'
import { Blocks } from '../viewer/markdown-view.tsx'
import { parseInWorker } from '../viewer/parse-in-worker.ts'
import { linkGuides, readGuide } from './guides.ts'

type State = 'loading' | 'missing' | readonly Block[]

/** Shows a guide. */
export function Guide({ name }: { readonly name: string }): JSX.Element {
  const [state, setState] = useState<State>('loading')
  useEffect(() => {
    const load = async () => {
      const text = await readGuide(name)
      const [blocks] =
        text === undefined ? [] : await parseInWorker([linkGuides(text, location.origin)], 0)
      setState(blocks ?? 'missing')
    }
    load().catch(() => setState('missing'))
  }, [name])
  return (
    <>
      <p>
        <a href="/docs">← Reference and guides</a>
      </p>
      {state === 'loading' && <Loading what="Loading the guide" />}
      {state === 'missing' && <h1>There is no such guide</h1>}
      {typeof state !== 'string' && (
        <article class="markdown guide">
          <Blocks of={state} />
        </article>
      )}
    </>
  )
}

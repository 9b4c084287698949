import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../api/problem.ts'
import { ProblemNotice } from './notice.tsx'

/** Returns a component that is fetched when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let kept: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => kept)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (Part !== undefined) return
      load().then(
        (part) => {
          kept = part
          setPart(() => part)
        },
        () => setFailed(true),
      )
    }, [Part])
    if (failed) return <ProblemNotice problem={notLoaded} />
    return Part === undefined ? <Waiting /> : <Part {...props} />
  }
}

const notLoaded = new Problem(
  'A part of this page could not be loaded.',
  'See that the server runs, then reload the page.',
)

/** Holds the place of what is on its way. */
export function Waiting({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  )
}

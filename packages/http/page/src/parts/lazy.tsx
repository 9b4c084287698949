import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../api/problem.ts'
import { ProblemNotice } from './notice.tsx'

/** Returns a component that is loaded when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (Part !== undefined) return
      load().then(
        (part) => {
          loaded = part
          setPart(() => part)
        },
        () => setFailed(true),
      )
    }, [Part])
    if (failed) return <ProblemNotice problem={notLoaded} />
    return Part === undefined ? <Loading /> : <Part {...props} />
  }
}

const notLoaded = new Problem(
  'A part of this page could not be loaded.',
  'Check that the server is running, then reload the page.',
)

/** Shows that something is loading. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  )
}

import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { changes } from '../api/changes.ts'
import { Problem } from '../api/problem.ts'
import { ProblemNotice } from './notice.tsx'

/**
 * Returns a component that is loaded when it is first shown, and again when the server is back after
 * it could not be loaded.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [failed, setFailed] = useState(false)
    // The event stream counts when it is connected again: then the part can be loaded too.
    const turn = failed ? changes.value : undefined
    useEffect(() => {
      if (Part !== undefined) return
      load().then(
        (part) => {
          loaded = part
          setFailed(false)
          setPart(() => part)
        },
        () => setFailed(true),
      )
    }, [Part, turn])
    if (failed) return <ProblemNotice problem={notLoaded} />
    return Part === undefined ? <Loading /> : <Part {...props} />
  }
}

const notLoaded = new Problem(
  'A part of this page could not be loaded.',
  'Check that the server is running and that you are online. This page continues when the server is back.',
)

/** Shows that something is loading. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  )
}

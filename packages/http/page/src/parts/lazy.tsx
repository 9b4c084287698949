import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/problem.ts'
import { useRetry } from '../api/use-resource.ts'
import { ProblemNotice } from './notice.tsx'

type Component<Props> = (props: Props) => JSX.Element | undefined

/**
 * Returns a component that is loaded when it is first shown, and again when the server is back after
 * it could not be loaded.
 */
export function lazy<Props extends object>(
  load: () => Promise<Component<Props>>,
): (props: Props) => JSX.Element {
  let loaded: Component<Props> | undefined
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<Component<Props> | undefined>(() => loaded)
    const [failed, setFailed] = useState(false)
    const [turn, setTurn] = useState(0)
    useRetry(failed ? notLoaded : undefined, () => setTurn((it) => it + 1))
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
  { isRetryable: true },
)

/** Shows a part of a page once it is scrolled to. */
export function WhenSeen({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((it) => it.isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    })
    if (ref.current !== null) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={ref} class={isSeen ? '' : 'unloaded'}>
      {isSeen && children}
    </div>
  )
}

/** Shows that something is loading. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  )
}

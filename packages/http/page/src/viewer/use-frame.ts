import { useLayoutEffect, useState } from 'preact/hooks'
import { type Frame, firstRow, tallest } from './frame.ts'

/** Measures the frame of the rows: the height of a row, how many fit, and how far it is scrolled. */
export function useFrame(ref: { readonly current: HTMLDivElement | null }, count: number) {
  const [scroll, setScroll] = useState(0)
  const [size, setSize] = useState({ height: 30, view: 600 })
  useLayoutEffect(() => {
    const measure = () => {
      const height = ref.current?.querySelector('.probe')?.getBoundingClientRect().height ?? 30
      setSize({ height, view: ref.current?.clientHeight ?? 600 })
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (ref.current !== null) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  const frame = frameOf({ count, scroll, ...size })
  return { frame, setScroll }
}

type Measured = {
  readonly count: number
  readonly scroll: number
  readonly height: number
  readonly view: number
}

function frameOf({ count, scroll, height, view }: Measured): Frame {
  const visible = Math.ceil(view / height)
  const frame = { count, scroll, height, view, visible, part: 0 }
  const isScaled = count * height > tallest
  return { ...frame, part: isScaled ? 0 : scroll - firstRow(frame) * height }
}

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Sight } from './minimap.tsx'

/** Returns what of a drawing at a scale is in sight in its scrolled frame; `undefined` while all of it is. */
export function useSight(
  ref: RefObject<HTMLElement | null>,
  drawing: { readonly width: number; readonly height: number },
  scale: number,
): Sight | undefined {
  const [sight, setSight] = useState<Sight>()
  useEffect(() => {
    const frame = ref.current
    if (frame === null) return
    const look = () => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame
      const [width, height] = [clientWidth / scale, clientHeight / scale]
      const isWhole = width >= drawing.width && height >= drawing.height
      const seen = {
        x: scrollLeft / scale,
        y: scrollTop / scale,
        width: Math.min(width, drawing.width),
        height: Math.min(height, drawing.height),
      }
      setSight(isWhole ? undefined : seen)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(frame)
    frame.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', look)
    }
  }, [drawing, scale])
  return sight
}

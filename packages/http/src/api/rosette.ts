const points = 120
const center = 50

/**
 * Draws a rosette, like those on banknotes, from the bytes of a hash: equal memories have equal
 * rosettes, and a person can distinguish different ones at a glance.
 */
export function drawRosette(hash: string): {
  readonly curves: readonly string[]
  readonly ink: number
} {
  const bytes = (hash.slice(2).match(/../g) ?? []).map((it) => Number.parseInt(it, 16))
  const byte = (at: number) => bytes[at] ?? 0
  const bands = [0, 1, 2].map((band) => ({
    radius: 41 - band * 12 - (byte(band) % 4),
    depth: 0.1 + (byte(band + 4) % 12) / 60,
    lobes: 5 + (byte(band + 8) % 8),
    turn: (byte(band + 12) / 256) * Math.PI * 2,
    copies: 2 + (byte(band + 16) % 2),
  }))
  const curves = bands.flatMap(({ copies, ...band }) =>
    Array.from({ length: copies }, (_, copy) =>
      curve({ ...band, turn: band.turn + (copy * Math.PI * 2) / (copies * band.lobes) }),
    ),
  )
  return { curves, ink: byte(20) % 6 }
}

type Band = {
  readonly radius: number
  readonly depth: number
  readonly lobes: number
  readonly turn: number
}

function curve({ radius, depth, lobes, turn }: Band): string {
  const path = Array.from({ length: points }, (_, at) => {
    const angle = (at / points) * Math.PI * 2
    const distance = radius * (1 - depth + depth * Math.cos(lobes * angle + turn * lobes))
    return `${round(center + distance * Math.cos(angle))} ${round(center + distance * Math.sin(angle))}`
  })
  return `M${path.join('L')}Z`
}

const round = (value: number) => Math.round(value * 10) / 10

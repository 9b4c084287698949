import { createHash } from 'node:crypto'

// Realistic memories: half conversation, a fifth trades, the rest embeddings. All random values
// follow from the seed, so that every run and both sides of a comparison have the same bytes.

const words = (
  'the a of to and in that it is was for on with as agent memory price order market token wallet ' +
  'user asked answered because later before trade signal risk support ticket resolved plan goal ' +
  'observed reward state action model context summary remember forget next step result'
).split(' ')

/** Creates a generator of 32-bit numbers from a seed. */
function drawFrom(seed: string) {
  let pool = Buffer.alloc(0)
  let at = 0
  let count = 0
  return (): number => {
    if (at === pool.length) {
      pool = createHash('sha512').update(`${seed} ${count++}`).digest()
      at = 0
    }
    at += 4
    return pool.readUInt32BE(at - 4)
  }
}

type Draw = () => number

function talk(draw: Draw): object {
  const length = 20 + (draw() % 40)
  const content = Array.from({ length }, () => words[draw() % words.length]).join(' ')
  return { role: draw() % 2 === 0 ? 'user' : 'assistant', content }
}

function trade(draw: Draw): object {
  const hash = Array.from({ length: 8 }, () => draw().toString(16).padStart(8, '0')).join('')
  return { txHash: `0x${hash}`, side: draw() % 2 === 0 ? 'buy' : 'sell', price: draw() / 1000 }
}

function embedding(draw: Draw): readonly number[] {
  return Array.from({ length: 16 }, () => Number((draw() / 2 ** 31 - 1).toFixed(8)))
}

/** Returns the request body of a snapshot of about `bytes` bytes. */
export function bundle(bytes: number, seed: string): Buffer {
  const draw = drawFrom(seed)
  const data = { talk: [] as object[], trades: [] as object[], embeddings: [] as object[] }
  const parts = [
    { into: data.talk, make: talk, share: 0.5 },
    { into: data.trades, make: trade, share: 0.2 },
    { into: data.embeddings, make: embedding, share: 0.3 },
  ]
  for (const { into, make, share } of parts) {
    for (let left = share * (bytes - 150); left > 0; ) {
      const item = make(draw)
      into.push(item)
      left -= JSON.stringify(item).length + 1
    }
  }
  const metadata = { category: 'research', agentId: 'bench', version: '1', seed }
  return Buffer.from(JSON.stringify({ data, metadata }))
}

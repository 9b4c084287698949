import { randomBytes } from 'node:crypto'
import { loadSecretbox, tweetnaclSecretbox } from '../secretbox.ts'
import { boundCipher } from './bound-cipher.ts'

// Prints the speed of each secretbox: `node packages/adapters/src/cipher/test/throughput.ts`
const chat = '{"role":"user","content":"remember what was said before","at":1732100000},'
const documents = {
  'chat 2 KB': Buffer.from(chat.repeat(30)).subarray(0, 2048),
  'noise 10 MB': randomBytes(10_000_000),
  'chat 10 MB': Buffer.from(chatOf(10_000_000)),
}

/** Returns text that compresses about as well as real conversations: words in random order. */
function chatOf(length: number): string {
  const words = chat.split(/\b/)
  const drawn = randomBytes(length / 3)
  return Array.from(drawn, (byte) => words[byte % words.length] ?? byte)
    .join(' ')
    .slice(0, length)
}

/** Returns the median time of a task, in milliseconds. */
async function median(rounds: number, task: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await task()
    times.push(performance.now() - start)
  }
  return times.toSorted((one, other) => one - other)[rounds >> 1] ?? 0
}

for (const secretbox of [loadSecretbox(), tweetnaclSecretbox()]) {
  const cipher = boundCipher([randomBytes(32)], { secretbox })
  for (const [name, document] of Object.entries(documents)) {
    const rounds = document.length > 1_000_000 ? 15 : 3000
    const { sealed } = await cipher.seal(document)
    const times = [
      await median(rounds, () => cipher.seal(document)),
      await median(rounds, () => cipher.open(sealed)),
    ]
    const shown = times.map(
      (time) => `${time.toFixed(2)} ms, ${(document.length / time / 1000).toFixed(0)} MB/s`,
    )
    process.stdout.write(
      `${secretbox.name}, ${name}: seal ${shown[0]}; open ${shown[1]}; ${sealed.length} bytes\n`,
    )
  }
}

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { paying } from '../harness/payments/rentals.ts'
import {
  decodeHeader,
  newWallet,
  requiredBy,
  shopAt,
  signPayment,
} from '../harness/payments/shop.ts'
import { newFolder } from '../harness/process/deployer.ts'
import { hostServer } from '../harness/process/server.ts'

/** More writes than stay whole once they are done. */
const others = 50

test('a request that is repeated long after its payment gets the same answer', async () => {
  const folder = newFolder()
  let server = await hostServer({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.end()))
  const shop = await shopAt(server.url)
  const [ada, id] = [newWallet(), await shop.offer({ forkPrice: '5' })]
  await shop.fund(ada.address)
  const royalty = (name: number) =>
    `${server.url}/api/x402/royalty/${id}?recipient=${ada.address}&amount=10000&id=${name}`
  const pay = async (name: number) => {
    const header = await signPayment(ada, requiredBy(await fetch(royalty(name))))
    const reply = await fetch(royalty(name), paying(header))
    expect([reply.status, await reply.json()]).toEqual([200, expect.anything()])
    const { transaction } = decodeHeader<{ transaction: string }>(reply, 'payment-response')
    return { header, transaction }
  }
  const { header, transaction } = await pay(0)
  for (let name = 1; name <= others; name++) await pay(name)

  await server.end()
  expect(shortened(folder)).toBeGreaterThan(0)
  server = await hostServer({ DATA_DIR: folder })
  for (const request of [{}, paying(header)]) {
    const reply = await fetch(royalty(0), request)
    expect([reply.status, await reply.json()]).toEqual([200, expect.anything()])
    expect(decodeHeader(reply, 'payment-response')).toMatchObject({ success: true, transaction })
  }
})

/** Returns the number of settlements of which only that is left which answers a repetition. */
function shortened(folder: string): number {
  const jobs = new DatabaseSync(join(folder, 'jobs.sqlite'), { readOnly: true })
  try {
    return jobs.prepare("SELECT id FROM job WHERE operation = 'settle' AND data = '0x'").all()
      .length
  } finally {
    jobs.close()
  }
}

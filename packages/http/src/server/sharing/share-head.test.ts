import { afterAll, describe, expect, test } from 'vitest'
import { mintToken, openHarness } from '../../../test/server-harness.ts'
import type { PageFile } from '../read-page.ts'

const text = [
  '<!doctype html><head><meta name="description" content="Agent memory." />',
  '<title>Heirloom</title></head><body></body>',
].join('')
const document: PageFile = {
  type: 'text/html; charset=utf-8',
  etag: '"page"',
  bodies: { identity: Buffer.from(text), br: Buffer.from(text), gzip: Buffer.from(text) },
}
const page = { document, assets: new Map() }
const drawn: string[] = []
const images = {
  etagOf: () => '"drawn"',
  draw: async ({ tokenId }: { readonly tokenId: bigint }) => {
    drawn.push(`${tokenId}`)
    return Buffer.from('PNG')
  },
}
const harness = openHarness({ page, images, config: { publicUrl: 'https://memories.example' } })
const bare = openHarness({ page })
afterAll(() => Promise.all([harness.server.close(), bare.server.close()]))

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const read = (url: string, headers: Record<string, string> = html, server = harness.server) =>
  server.inject({ method: 'GET', url, headers })

describe('the document of a token', () => {
  test('has its title, its description, its canonical address and its image', async () => {
    const card = { title: 'Ben & Ada <"$&">', description: 'Two\nlines.' }
    const id = await mintToken(harness, { card })
    const { statusCode, body, headers } = await read(`/token/${id}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const title = 'Ben &amp; Ada &lt;&quot;$&amp;&quot;&gt;'
    const address = `https://memories.example/token/${id}`
    expect(body.match(/<title>.*?<\/title>/g)).toEqual([`<title>${title} · Heirloom</title>`])
    expect(body).toContain(`<link rel="canonical" href="${address}">`)
    expect(body).toContain(`<meta property="og:title" content="${title}">`)
    expect(body).toContain('<meta name="description" content="Two lines.">')
    expect(body.match(/name="description"/g)).toHaveLength(1)
    expect(body).toContain(`<meta property="og:image" content="${address}/card.png">`)
  })

  test('of a memory without a card names its number, and the origin of the request', async () => {
    const id = await mintToken(bare)
    const { body } = await read(`/token/${id}`, { ...html, host: 'localhost:80' }, bare.server)
    expect(body).toContain(`<title>Memory No. ${id} · Heirloom</title>`)
    expect(body).toContain(`<meta property="og:url" content="http://localhost:80/token/${id}">`)
    expect(body).not.toContain('og:image')
  })
})

describe('the document of a view', () => {
  const account = `/account/0x${'0'.repeat(40)}`

  test.each([
    ['/', 'Heirloom', '/'],
    ['/?tag=equities&sort=cheapest', 'Memories tagged equities · Heirloom', '/?tag=equities'],
    ['/?tag=%3Cb%3E', 'Heirloom', '/'],
    ['/docs', 'Reference and guides · Heirloom', '/docs'],
    ['/docs/guides/keys', 'Keys, backup and restore · Heirloom', '/docs/guides/keys'],
    ['/activity?kind=sale', 'Activity · Heirloom', '/activity'],
    [account, `Account ${account.slice(9)} · Heirloom`, account],
  ])('of %s has its own title and address', async (url, title, address) => {
    const { statusCode, body } = await read(url)
    expect(statusCode).toBe(200)
    expect(body.match(/<title>.*?<\/title>/g)).toEqual([`<title>${title}</title>`])
    expect(body).toContain(`<link rel="canonical" href="https://memories.example${address}">`)
    expect(body.match(/name="description"/g)).toHaveLength(1)
  })

  test('of a guide that does not exist is 404', async () => {
    expect((await read('/docs/guides/nope')).statusCode).toBe(404)
  })
})

describe('an address without a page', () => {
  test.each(['/token/99999', '/token/abc', '/token/01', '/nope', '/nope?a=1'])(
    'is 404 at %s, with the page for a person',
    async (url) => {
      const reply = await read(url)
      expect([reply.statusCode, reply.body]).toEqual([404, text])
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    },
  )

  test.each(['/api/nope', '/nope', '/assets/nope.js'])(
    'is a problem at %s for a program',
    async (url) => {
      const reply = await read(url, url === '/nope' ? { accept: '*/*' } : html)
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
    },
  )

  test('takes no writes', async () => {
    const reply = await harness.server.inject({ method: 'POST', url: '/nope', headers: html })
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
  })
})

describe('the image of a token', () => {
  test('is drawn once for a site that has it', async () => {
    const url = `/token/${await mintToken(harness)}/card.png`
    drawn.length = 0
    const { headers, body } = await read(url)
    expect([headers['content-type'], body]).toEqual(['image/png', 'PNG'])
    const again = await read(url, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, drawn.length]).toEqual([304, 1])
    const weak = await read(url, { 'if-none-match': `"other", W/${headers.etag}` })
    expect([weak.statusCode, drawn.length]).toEqual([304, 1])
  })

  test.each(['/token/99999/card.png', '/token/abc/card.png'])('is not there at %s', async (url) => {
    const reply = await read(url, { accept: 'image/*' })
    expect([reply.statusCode, drawn.includes('99999')]).toEqual([
      url.includes('abc') ? 400 : 404,
      false,
    ])
  })
})

import { hash, tokenId } from '@heirloom/core'
import { afterAll, describe, expect, test } from 'vitest'
import { addressOf, agent, mintToken, openHarness } from '../../../test/server-harness.ts'
import type { PageFile } from '../read-page.ts'
import type { Drawn } from './card-drawing.ts'
import { withFirstView } from './first-view.ts'

const text = [
  '<!doctype html><head><meta name="description" content="Agent memory." />',
  '<title>Heirloom</title></head><body><main id="main"></main></body>',
].join('')
const document: PageFile = {
  type: 'text/html; charset=utf-8',
  etag: '"page"',
  bodies: { identity: Buffer.from(text), br: Buffer.from(text), gzip: Buffer.from(text) },
}
const names = ['base-BXDciLDA.js', 'memory-D6c2HbCQ.js', 'memory-facts-D6c2HbCQ.js']
const page = { document, assets: new Map(names.map((name) => [name, document])) }
const drawn: string[] = []
const images = {
  etagOf: () => '"drawn"',
  draw: async (of: Drawn) => {
    drawn.push('tokenId' in of ? `${of.tokenId}` : of.title)
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

  test('shows its seal and its title before any script, and names what the view reads first', async () => {
    const card = { title: 'Ben & Ada <"$&">' }
    const id = await mintToken(harness, { card })
    const { body } = await read(`/token/${id}`)
    const title = 'Ben &amp; Ada &lt;&quot;$&amp;&quot;&gt;'
    expect(body).toContain(`<p class="number">No. ${id}</p><h1><bdi dir="auto">${title}</bdi></h1>`)
    expect(body.match(/<svg class="seal ink-\d"/g)).toHaveLength(1)
    expect(body.match(/<link rel="modulepreload"[^>]*>/g)).toEqual([
      '<link rel="modulepreload" href="/assets/base-BXDciLDA.js">',
      '<link rel="modulepreload" href="/assets/memory-D6c2HbCQ.js">',
    ])
    expect(body).toContain(`crossorigin href="/api/memory?tokenId=${id}&amp;limit=1">`)
  })

  test('of a copy shows no title before the page says that it is one', () => {
    const contentHash = hash(`0x${'5a'.repeat(32)}`)
    const seen = { tokenId: tokenId(7n), card: undefined, contentHash }
    const original = withFirstView(text, { ...seen, originality: 'original' })
    expect(original).toContain('<h1>Untitled memory</h1>')
    expect(withFirstView(text, { ...seen, originality: 'copied' })).toBe(text)
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
    ['/?search=dry+wheat', 'Memories about dry wheat · Heirloom', '/?search=dry+wheat'],
    ['/?search=%3Cb%3E', 'Heirloom', '/'],
    ['/?search=%E2%80%AEgro.lapyap', 'Heirloom', '/'],
    [`/?search=${'a'.repeat(65)}`, 'Heirloom', '/'],
    [`/?tag=${'a'.repeat(12_000)}`, 'Heirloom', '/'],
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

  test.each([
    ['/?tag=equities', '/card.png'],
    ['/?search=wheat', '/card.png'],
    ['/docs?search=wheat', '/docs/card.png'],
    ['/docs/guides/keys', '/docs/guides/keys/card.png'],
  ])('of %s names its image, and shows no other words in it', async (url, image) => {
    const address = `https://memories.example${image}`
    expect((await read(url)).body).toContain(`<meta property="og:image" content="${address}">`)
    drawn.length = 0
    const { statusCode, headers } = await read(`${image}?tag=stranger`, { accept: 'image/*' })
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
    expect(drawn.join()).not.toMatch(/wheat|equities|stranger/)
  })

  test('of a search is not listed by search engines, and that of a tag is', async () => {
    expect((await read('/?search=wheat')).body).toContain(noindex)
    expect((await read('/?tag=wheat')).body).not.toContain(noindex)
  })
})

const noindex = '<meta name="robots" content="noindex">'

describe('the document of an account', () => {
  const holder = addressOf(agent)

  test('has one address, and an image once the account has a memory', async () => {
    await mintToken(harness)
    const { body } = await read(`/account/${holder.toLowerCase()}`)
    const address = `https://memories.example/account/${holder}`
    expect(body).toContain(`<link rel="canonical" href="${address}">`)
    expect(body).toContain(`<meta property="og:image" content="${address}/card.png">`)
    expect(body).not.toContain(noindex)
    drawn.length = 0
    expect((await read(`/account/${holder}/card.png`)).statusCode).toBe(200)
    expect(drawn).toEqual([`Account ${holder}`])
  })

  test('without a memory is there, but neither listed nor drawn', async () => {
    const nobody = `/account/0x${'0'.repeat(38)}ff`
    const { statusCode, body } = await read(nobody)
    expect([statusCode, body.includes(noindex), body.includes('og:image')]).toEqual([
      200,
      true,
      false,
    ])
    drawn.length = 0
    const reply = await read(`${nobody}/card.png`, { accept: 'image/*' })
    expect([reply.statusCode, drawn]).toEqual([404, []])
  })

  test.each([
    `${holder.slice(0, -1)}`,
    holder.replace(/[a-f]/, (it) => it.toUpperCase()),
    'ada.eth',
    '%3Cb%3E',
  ])('of %s, which is no address, is 404', async (text) => {
    expect((await read(`/account/${text}`)).statusCode).toBe(404)
    expect((await read(`/account/${text}/card.png`, { accept: 'image/*' })).statusCode).toBe(404)
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

import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readS3Url } from './read-storage.ts'

const read = (text: string) => readS3Url('BLOB_URL', text)
const amazon = { endpoint: undefined, region: undefined, pathStyle: false }

describe('a bucket', () => {
  test.each([
    ['s3://memories', { ...amazon, bucket: 'memories', prefix: '' }],
    ['s3://memories/', { ...amazon, bucket: 'memories', prefix: '' }],
    ['s3://my.memories/a/b_2', { ...amazon, bucket: 'my.memories', prefix: 'a/b_2/' }],
    [
      's3://memories/a/?region=eu-1',
      { ...amazon, bucket: 'memories', prefix: 'a/', region: 'eu-1' },
    ],
    [
      's3://memories?path-style=true',
      { ...amazon, bucket: 'memories', prefix: '', pathStyle: true },
    ],
    [
      's3://memories?endpoint=http://127.0.0.1:9000/',
      {
        bucket: 'memories',
        prefix: '',
        endpoint: 'http://127.0.0.1:9000',
        region: undefined,
        pathStyle: true,
      },
    ],
    [
      's3://memories?endpoint=https%3A%2F%2Fs3.example&path-style=false',
      { ...amazon, bucket: 'memories', prefix: '', endpoint: 'https://s3.example' },
    ],
  ])('is read from %s', (text, place) => {
    expect(read(text)).toEqual(place)
    expect(readConfig({ BLOB_URL: text }).blobStore).toEqual({ kind: 's3', place })
  })

  test.each([
    ['s3://KEY:secret@memories', 'AWS_SECRET_ACCESS_KEY'],
    ['s3://', 'name of a bucket'],
    ['s3://a', 'name of a bucket'],
    ['s3://Under_score/secret', 'name of a bucket'],
    ['s3://memories:9000/secret', 'name of a bucket'],
    ['s3://memories/a/../secret', undefined],
    ['s3://memories/a//secret', 'prefix'],
    ['s3://memories/a%20secret', 'prefix'],
    ['s3://memories?key=secret', 'unknown option'],
    ['s3://memories?region=a&region=secret', 'twice'],
    ['s3://memories?region=Secret!', 'region'],
    ['s3://memories?endpoint=secret', 'endpoint'],
    ['s3://memories?endpoint=ftp://secret', 'endpoint'],
    ['s3://memories?endpoint=https://me:secret@store.example', 'endpoint'],
    ['s3://memories?path-style=secret', 'path-style'],
    ['https://secret.example/', 's3://'],
  ])('is not %s, and the failure does not repeat it', (BLOB_URL, problem) => {
    if (problem === undefined) {
      // A URL has no parent folders: its parser has resolved them.
      expect(read(BLOB_URL).prefix).toBe('secret/')
      return
    }
    const error = refusal({ BLOB_URL })
    expect(error?.facts.name).toBe('BLOB_URL')
    expect(error?.message).toContain(problem)
    expect(error?.message).not.toMatch(/secret(?!_)/i)
  })

  test('is not beside peers, nor beside helia', () => {
    const BLOB_URL = 's3://memories'
    expect(refusal({ BLOB_URL, IPFS_PEERS: '/ip4/127.0.0.1/tcp/1' })?.facts.name).toBe('IPFS_PEERS')
    expect(refusal({ BLOB_URL, BLOB_STORE: 'helia' })?.facts.name).toBe('BLOB_URL')
  })
})

test('any text is a place or `config/invalid`', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const error = refusal({ BLOB_URL: `s3:${text}` })
      expect(error === undefined || error.code === 'config/invalid').toBe(true)
    }),
  )
})

function refusal(env: Readonly<Record<string, string>>) {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    if (!isFailure(error, 'config/invalid')) throw error
    return error
  }
}

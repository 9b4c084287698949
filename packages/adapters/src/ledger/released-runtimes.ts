import type { PairRuntimes } from './runtime-code.ts'

/** The code of the pairs of 0.2.0. */
export const runtimes020: PairRuntimes = {
  registry: {
    length: 17032,
    hash: '0x75032ecc57c842c511078162a8e6757865b2ba77311db498844d1e8243450363',
    immutables: [
      {
        name: '_trustedForwarder',
        length: 32,
        start: 1202,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 1360,
      },
      {
        name: 'marketplace',
        length: 32,
        start: 1581,
      },
      {
        name: 'marketplace',
        length: 32,
        start: 6254,
      },
      {
        name: 'marketplace',
        length: 32,
        start: 7631,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 8284,
      },
      {
        name: 'marketplace',
        length: 32,
        start: 9054,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 9142,
      },
    ],
  },
  marketplace: {
    length: 24416,
    hash: '0x751d70fb19fb6fa1cadca50ef1511e6270da39ac25e7ad2e95ffe54cb57d5669',
    immutables: [
      {
        name: 'dollar',
        length: 32,
        start: 778,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 908,
      },
      {
        name: 'registry',
        length: 32,
        start: 1274,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 1322,
      },
      {
        name: 'depositCode',
        length: 32,
        start: 1471,
      },
      {
        name: 'dollar',
        length: 32,
        start: 2553,
      },
      {
        name: 'dollar',
        length: 32,
        start: 2869,
      },
      {
        name: 'dollar',
        length: 32,
        start: 3513,
      },
      {
        name: 'dollar',
        length: 32,
        start: 3739,
      },
      {
        name: 'dollar',
        length: 32,
        start: 4615,
      },
      {
        name: 'registry',
        length: 32,
        start: 5199,
      },
      {
        name: 'registry',
        length: 32,
        start: 6690,
      },
      {
        name: 'registry',
        length: 32,
        start: 6885,
      },
      {
        name: 'registry',
        length: 32,
        start: 7089,
      },
      {
        name: 'registry',
        length: 32,
        start: 7496,
      },
      {
        name: 'registry',
        length: 32,
        start: 7668,
      },
      {
        name: 'registry',
        length: 32,
        start: 8401,
      },
      {
        name: 'depositCode',
        length: 32,
        start: 8851,
      },
      {
        name: 'registry',
        length: 32,
        start: 9216,
      },
      {
        name: 'registry',
        length: 32,
        start: 9345,
      },
      {
        name: 'registry',
        length: 32,
        start: 9628,
      },
      {
        name: 'registry',
        length: 32,
        start: 9829,
      },
      {
        name: 'dollar',
        length: 32,
        start: 10006,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 10171,
      },
      {
        name: 'dollar',
        length: 32,
        start: 10431,
      },
      {
        name: 'dollar',
        length: 32,
        start: 10529,
      },
      {
        name: 'registry',
        length: 32,
        start: 10659,
      },
      {
        name: 'registry',
        length: 32,
        start: 11006,
      },
      {
        name: 'registry',
        length: 32,
        start: 11331,
      },
      {
        name: 'registry',
        length: 32,
        start: 11712,
      },
      {
        name: 'dollar',
        length: 32,
        start: 12034,
      },
      {
        name: 'dollar',
        length: 32,
        start: 12347,
      },
      {
        name: 'dollar',
        length: 32,
        start: 12427,
      },
      {
        name: 'registry',
        length: 32,
        start: 12518,
      },
      {
        name: 'registry',
        length: 32,
        start: 12804,
      },
      {
        name: 'depositCode',
        length: 32,
        start: 13190,
      },
      {
        name: 'dollar',
        length: 32,
        start: 13441,
      },
      {
        name: 'dollar',
        length: 32,
        start: 13521,
      },
      {
        name: 'dollar',
        length: 32,
        start: 13666,
      },
      {
        name: 'dollar',
        length: 32,
        start: 13845,
      },
      {
        name: 'dollar',
        length: 32,
        start: 14220,
      },
      {
        name: 'dollar',
        length: 32,
        start: 14586,
      },
      {
        name: 'dollar',
        length: 32,
        start: 14862,
      },
      {
        name: 'dollar',
        length: 32,
        start: 15491,
      },
      {
        name: 'registry',
        length: 32,
        start: 15721,
      },
      {
        name: 'registry',
        length: 32,
        start: 16056,
      },
      {
        name: 'registry',
        length: 32,
        start: 16762,
      },
      {
        name: 'registry',
        length: 32,
        start: 17365,
      },
      {
        name: '_trustedForwarder',
        length: 32,
        start: 17453,
      },
      {
        name: 'dollar',
        length: 32,
        start: 17776,
      },
      {
        name: 'registry',
        length: 32,
        start: 18276,
      },
      {
        name: 'registry',
        length: 32,
        start: 18857,
      },
      {
        name: 'registry',
        length: 32,
        start: 19081,
      },
      {
        name: 'dollar',
        length: 32,
        start: 19327,
      },
      {
        name: 'registry',
        length: 32,
        start: 19475,
      },
      {
        name: 'dollar',
        length: 32,
        start: 19767,
      },
      {
        name: 'registry',
        length: 32,
        start: 19913,
      },
      {
        name: 'dollar',
        length: 32,
        start: 20221,
      },
      {
        name: 'registry',
        length: 32,
        start: 20477,
      },
      {
        name: 'dollar',
        length: 32,
        start: 20696,
      },
      {
        name: 'dollar',
        length: 32,
        start: 21371,
      },
      {
        name: 'dollar',
        length: 32,
        start: 21568,
      },
      {
        name: 'dollar',
        length: 32,
        start: 21680,
      },
    ],
  },
  forwarder: {
    length: 4684,
    hash: '0x53719dc1ffa8c552f62eed955d872411ff8aa53a1af9297a99b70b71eb7f7786',
    immutables: [
      {
        name: '_name',
        length: 32,
        start: 1103,
      },
      {
        name: '_version',
        length: 32,
        start: 1151,
      },
      {
        name: '_cachedThis',
        length: 32,
        start: 3162,
      },
      {
        name: '_cachedChainId',
        length: 32,
        start: 3204,
      },
      {
        name: '_cachedDomainSeparator',
        length: 32,
        start: 3246,
      },
      {
        name: '_hashedName',
        length: 32,
        start: 3327,
      },
      {
        name: '_hashedVersion',
        length: 32,
        start: 3367,
      },
    ],
  },
  depositCode: {
    length: 593,
    hash: '0x30b48083dd7893e8801ae7fdb3413af964f68e236f879e7e748ab4c27e2c618d',
    immutables: [
      {
        name: '_marketplace',
        length: 32,
        start: 109,
      },
    ],
  },
}

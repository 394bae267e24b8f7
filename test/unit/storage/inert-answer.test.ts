import { describe, expect, it } from 'vitest'
import {
  inertHeaders,
  makeInert,
} from '../../../emulator/services/storage/downloads/inert-answer.ts'

describe('the headers of a stored body', () => {
  it.each([
    'image/png',
    'IMAGE/JPEG',
    'image/webp; q=1',
    'audio/mpeg',
    'video/mp4',
    'text/plain;charset=UTF-8',
    'application/pdf',
  ])('keep the type %s unchanged', (type) => {
    expect(inertHeaders(type)).toEqual({ 'content-type': type })
  })

  it.each([
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xsl',
    'text/xml; charset=utf-8',
    'video/x+xml',
    'audio/x+xml',
    'image/png+xml',
    'application/json',
    'text/css',
    'font/woff2',
    'text/javascript',
    'application/octet-stream',
    'text/plain; name=, text/xsl',
    'video/mp4; codecs="avc1.42E01E, mp4a.40.2"',
  ])('keep the type %s, and add a sandbox policy', (type) => {
    expect(inertHeaders(type)).toEqual({
      'content-type': type,
      'content-security-policy': 'sandbox',
    })
  })

  it.each([
    '*/*',
    'image/*',
    'unknown/unknown',
    'Application/Unknown; charset=x',
    '',
    'text',
    'text/',
    'text/plain, text/xsl',
    'image /png',
  ])('replace the type %j with application/octet-stream', (type) => {
    expect(inertHeaders(type)).toEqual({
      'content-type': 'application/octet-stream',
      'content-security-policy': 'sandbox',
    })
  })

  it.each(['text/html', 'TEXT/HTML; charset=utf-8', 'image/png; a=b, text/html'])(
    'replace the type %s with text/plain',
    (type) => {
      expect(inertHeaders(type)).toEqual({ 'content-type': 'text/plain' })
    },
  )
})

describe('makeInert', () => {
  it('replaces text/html even when a route has set the type', () => {
    const response = makeInert(new Response('', { headers: { 'content-type': 'text/html' } }))
    expect(response.headers.get('content-type')).toBe('text/plain')
  })

  it('adds no header when the response has no type', () => {
    const { headers } = makeInert(new Response(null, { status: 204 }))
    expect([headers.has('content-type'), headers.has('content-security-policy')]).toEqual([
      false,
      false,
    ])
  })
})

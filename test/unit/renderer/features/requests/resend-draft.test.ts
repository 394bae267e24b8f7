import { describe, expect, it } from 'vitest'
import { draftOf, readDraft } from '../../../../../renderer/features/requests/resend-draft.ts'
import { entryWith } from './journal-entry.ts'

const before = draftOf(entryWith(), {
  request_headers: { accept: '*/*', authorization: 'Bearer eyJ…' },
  request_body: { state: 'complete', text: '{}', size_bytes: 2 },
  response_headers: {},
  response_body: { state: 'empty', text: null, size_bytes: 0 },
  claims: null,
  stages: null,
})

describe('readDraft', () => {
  it('does not send unchanged parts', () => {
    expect(readDraft(before, before)).toEqual({ kind: 'ready', replay: {} })
  })

  it('sends only the edited parts', () => {
    const draft = {
      ...before,
      method: 'POST',
      body: '{"a":1}',
      headers: `${before.headers}\nPrefer: x=1\n\n`,
    }
    expect(readDraft(draft, before)).toEqual({
      kind: 'ready',
      replay: { method: 'POST', body: '{"a":1}', headers: { prefer: 'x=1' } },
    })
  })

  it('leaves out masked credentials, and sends a removed header as empty', () => {
    const draft = { ...before, headers: 'authorization: Bearer eyJ…\nprefer: count=exact' }
    expect(readDraft(draft, before)).toEqual({
      kind: 'ready',
      replay: { headers: { prefer: 'count=exact', accept: '' } },
    })
  })

  it('names the header line that cannot be read', () => {
    const read = readDraft({ ...before, headers: 'accept: */*\nnonsense' }, before)
    expect(read).toEqual({ kind: 'wrong', problem: 'Header line 2 is not “name: value”.' })
  })

  it('refuses a target that leaves the emulator', () => {
    expect(readDraft({ ...before, target: 'http://elsewhere/' }, before).kind).toBe('wrong')
  })
})

// Shows the decoded credential of a request, whether or not the platform accepted it.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section } from '../../ui/sheet.tsx'
import { NotRecorded } from './request-exchange.tsx'
import { NOTHING } from './request-facts.ts'

const KIND_WORDS: Readonly<Record<string, string>> = {
  anonKey: 'anon key',
  serviceRoleKey: 'service_role key',
  dataPlaneToken: 'data plane token',
  accessToken: 'session token',
  storageToken: 'storage token',
  realtimeToken: 'realtime token',
  groupApiKey: 'Group API Key',
  managementKey: 'management key',
  sessionToken: 'dashboard session',
  s3Key: 'S3 key',
}

export function RequestCredential({ detail }: { readonly detail: RequestDetail }): ReactElement {
  const { entry, recording } = detail
  const kind = entry.credential_kind
  return (
    <>
      <Section title="Identity">
        <KeyValueList
          items={[
            ['Credential', kind === null ? 'none accepted' : (KIND_WORDS[kind] ?? kind)],
            ['Role', <code key="role">{entry.role ?? NOTHING}</code>],
            ['Subject', <code key="subject">{entry.subject ?? NOTHING}</code>],
          ]}
        />
      </Section>
      {recording === null ? (
        <NotRecorded />
      ) : (
        <Section title="Claims">
          {recording.claims === null ? (
            <p className="text-ink-dim">The request had no credential, or one without claims.</p>
          ) : (
            <JsonTree value={recording.claims} label="claims" open={2} />
          )}
        </Section>
      )}
      <Link
        to="/tokens"
        search={{ request: entry.request_id }}
        className="self-start text-accent hover:underline"
      >
        Open in Tokens
      </Link>
    </>
  )
}

// Every route of /_emulator/v1 in words and schemas. A test fails when one is mounted and not described here, or the other
// way round: whoever mounts a route adds a line.

import { suggestedFixesBody } from '../../explain/requests/row-questions.ts'
import { choicesQuery, explainBody, matrixBody } from '../../explain/rows/routes.ts'
import { mintTokenSchema } from '../../explain/tokens/mint-token.ts'
import { explainTokenSchema } from '../../explain/tokens/routes.ts'
import { faultOrderSchema } from '../../faults/fault-order.ts'
import { exportQuery, fixtureReference } from '../../fixtures/routes.ts'
import { replayOrder } from '../../journal/recording/routes.ts'
import { facetsQuery, journalQuery } from '../../journal/routes.ts'
import { changesQuery } from '../../journal/row-changes/routes.ts'
import { authSettingsChange } from '../../project-tools/auth-settings.ts'
import { clearMailboxQuery, mailboxQuery, nextMessageQuery } from '../../project-tools/mailbox.ts'
import { mintPrincipalSchema } from '../../project-tools/principals.ts'
import { switchesSchema } from '../../project-tools/switches.ts'
import { banOrder, newUser, usersQuery } from '../../project-tools/users.ts'
import { compareQuery, snapshotOrder } from '../../snapshots/routes.ts'
import { sqlRequest } from '../../workbench/sql/mount-sql.ts'
import {
  fileQuery,
  rowEdits,
  rowsRequest,
  structureDiffQuery,
} from '../../workbench/tables/shapes.ts'
import { clockCommandSchema } from '../clock-command.ts'
import type { OperationTable } from './operation.ts'

const TABLE_FILES = ['text/csv', 'application/json']

export const OPERATIONS: OperationTable = {
  'GET /health': { summary: 'Whether the emulator is up.', answer: 'object' },
  'GET /info': { summary: 'Addresses, accounts and keys, secrets included.', answer: 'ReadyLine' },
  'GET /openapi.json': { summary: 'This document.', answer: 'object' },
  'GET /overview': {
    summary: 'Groups, tenants and how the services are.',
    answer: 'PlatformOverview',
  },
  'GET /events': {
    summary:
      'What happens, as it happens: frames whose data is an EventBatch; last-event-id resumes.',
    answer: ['text/event-stream'],
  },
  'GET /clock': { summary: 'Platform time.', answer: 'ClockState' },
  'POST /clock': {
    summary: 'Moves platform time.',
    body: clockCommandSchema,
    answer: 'ClockState',
  },
  'GET /faults': { summary: 'Armed faults, newest first.', answer: 'FaultList' },
  'POST /faults': {
    summary: 'Arms a fault.',
    body: faultOrderSchema,
    answer: 'ArmedFault',
    status: 201,
  },
  'DELETE /faults': { summary: 'Disarms all faults.', answer: 'FaultsDisarmed' },
  'GET /faults/catalogue': {
    summary: 'What faults can be aimed at, and every error of the platform.',
    answer: 'FaultCatalogue',
  },
  'DELETE /faults/:id': { summary: 'Disarms a fault.', answer: 'ArmedFault' },
  'GET /fixtures': {
    summary: 'Stories that come with the package, and those of the fixtures folder.',
    answer: 'FixtureList',
  },
  'POST /fixtures/check': {
    summary: 'Tries a fixture and keeps nothing; every problem with file and line.',
    body: fixtureReference,
    answer: 'FixtureReport',
  },
  'POST /fixtures/apply': {
    summary: 'Applies a fixture, all of it or nothing; `applied` tells which.',
    body: fixtureReference,
    answer: 'FixtureReport',
  },
  'GET /fixtures/export': {
    summary: 'A fixture of the running platform, as a bundle.',
    query: exportQuery,
    answer: ['application/gzip'],
  },
  'GET /snapshots': {
    summary: 'Saved states of the whole platform, newest first.',
    answer: 'SnapshotList',
  },
  'POST /snapshots': {
    summary: 'Saves the state of the whole platform under a name.',
    body: snapshotOrder,
    answer: 'Snapshot',
    status: 201,
  },
  'POST /snapshots/:name/restore': {
    summary: 'Puts the whole platform back into a saved state.',
    answer: 'Snapshot',
  },
  'DELETE /snapshots/:name': {
    summary: 'Deletes a snapshot.',
    answer: 'Snapshot',
  },
  'GET /snapshots/:name/compare': {
    summary: 'What differs between a snapshot and another one, or the present state.',
    query: compareQuery,
    answer: 'SnapshotDiff',
  },
  'POST /reset': {
    summary: 'Puts the whole platform back to where its last fixture, or the start, left it.',
    answer: 'ResetAnswer',
  },
  'POST /principals': {
    summary: 'Mints a credential for the data plane.',
    body: mintPrincipalSchema,
    answer: 'MintPrincipalAnswer',
    status: 201,
  },
  'POST /tokens/explain': {
    summary: 'What a credential says, and whether it holds.',
    body: explainTokenSchema,
    answer: 'TokenExplanation',
  },
  'POST /tokens/mint': {
    summary: 'Mints any credential of a project.',
    body: mintTokenSchema,
    answer: 'MintedToken',
    status: 201,
  },
  'GET /journal': {
    summary: 'Requests, newest first.',
    query: journalQuery,
    answer: 'JournalPage',
  },
  'GET /journal/facets': {
    summary: 'How many requests there are of each kind.',
    query: facetsQuery,
    answer: 'JournalFacets',
  },
  'GET /journal/:request_id': {
    summary: 'One request in full, with the row changes it made.',
    answer: 'RequestDetail',
  },
  'POST /journal/:request_id/replay': {
    summary: 'Sends it again as the same identity, edited when told.',
    body: replayOrder,
    answer: 'ReplayAnswer',
  },
  'GET /journal/:request_id/chain': {
    summary: 'Why it got what it got, link by link.',
    answer: 'AccessChain',
  },
  'GET /mailbox': {
    summary: 'Messages, newest first.',
    query: mailboxQuery,
    answer: 'MailboxPage',
  },
  'DELETE /mailbox': {
    summary: 'Removes messages.',
    query: clearMailboxQuery,
    answer: 'MailboxCleared',
  },
  'GET /mailbox/next': {
    summary: 'Waits for a message; 204 when none came in time.',
    query: nextMessageQuery,
    answer: 'MailboxMessage',
  },
  'GET /mailbox/:id': { summary: 'Reads a message.', answer: 'MailboxMessage' },
  'GET /mailbox/:id/html': { summary: 'A message as its page.', answer: ['text/html'] },
  'GET /projects/:ref/switches': { summary: 'Armed situations.', answer: 'SwitchState' },
  'PUT /projects/:ref/switches': {
    summary: 'Arms exactly the named situations.',
    body: switchesSchema,
    answer: 'SwitchState',
  },
  'GET /projects/:ref/auth-settings': {
    summary: 'How users may sign in.',
    answer: 'AuthSettingsState',
  },
  'PATCH /projects/:ref/auth-settings': {
    summary: 'Changes how users may sign in.',
    body: authSettingsChange,
    answer: 'AuthSettingsState',
  },
  'GET /projects/:ref/users': {
    summary: 'End users, newest first.',
    query: usersQuery,
    answer: 'ProjectUserPage',
  },
  'POST /projects/:ref/users': {
    summary: 'Makes a user.',
    body: newUser,
    answer: 'ProjectUser',
    status: 201,
  },
  'GET /projects/:ref/users/:id': {
    summary: 'One user, by id or e-mail address, with sessions.',
    answer: 'ProjectUserDetail',
  },
  'DELETE /projects/:ref/users/:id/sessions': {
    summary: 'Ends all sessions of a user.',
    answer: 'UserSessionsEnded',
  },
  'DELETE /projects/:ref/users/:id/sessions/:session': {
    summary: 'Ends one session of a user.',
    answer: 'UserSessionsEnded',
  },
  'PATCH /projects/:ref/users/:id': {
    summary: 'Bans a user, or lifts the ban.',
    body: banOrder,
    answer: 'ProjectUser',
  },
  'DELETE /projects/:ref/users/:id': {
    summary: 'Deletes a user.',
    answer: 'ProjectUserDeleted',
  },
  'GET /projects/:ref/types': {
    summary: 'TypeScript types of the tables, for the reference client.',
    answer: ['text/plain'],
  },
  'GET /projects/:ref/s3-keys': { summary: 'Access keys for S3 clients.', answer: 'S3KeyList' },
  'POST /projects/:ref/s3-keys': {
    summary: 'Mints an access key for S3 clients.',
    answer: 'MintedS3Key',
    status: 201,
  },
  'DELETE /projects/:ref/s3-keys/:id': { summary: 'Revokes an access key.', answer: 'object' },
  'GET /projects/:ref/realtime': {
    summary: 'Open sockets, their channels, and captured tables.',
    answer: 'RealtimeOverview',
  },
  'GET /projects/:ref/realtime/changes': {
    summary: 'The latest row changes with their verdicts.',
    query: changesQuery,
    answer: 'JudgedChangePage',
  },
  'GET /projects/:ref/identities': {
    summary: 'Through whose eyes one may look.',
    query: choicesQuery,
    answer: 'IdentityChoices',
  },
  'GET /projects/:ref/policies': {
    summary: 'Policies of all tables, with warnings.',
    answer: 'PolicyOverview',
  },
  'POST /projects/:ref/explain': {
    summary: 'Why each row is visible or not.',
    body: explainBody,
    answer: 'Explanation',
  },
  'POST /projects/:ref/explain/matrix': {
    summary: 'Verdicts of rows for many identities.',
    body: matrixBody,
    answer: 'VerdictMatrix',
  },
  'POST /projects/:ref/explain/suggested-fixes': {
    summary: 'SQL that would show a row, or allow a command.',
    body: suggestedFixesBody,
    answer: 'SuggestedFixes',
  },
  // cspell:ignore mends
  'POST /projects/:ref/explain/mends': {
    summary: 'The former path of …/explain/suggested-fixes.',
    body: suggestedFixesBody,
    answer: 'SuggestedFixes',
  },
  'GET /projects/:ref/tables': { summary: 'Tables and views.', answer: 'TableList' },
  'GET /projects/:ref/tables/:table': { summary: 'One table.', answer: 'TableStructure' },
  'POST /projects/:ref/tables/:table/rows': {
    summary: 'Rows, as the owner or through an identity.',
    body: rowsRequest,
    answer: 'RowsPage',
  },
  'PATCH /projects/:ref/tables/:table/rows': {
    summary: 'Edits rows, all or none.',
    body: rowEdits,
    answer: 'RowEditsAnswer',
  },
  'POST /projects/:ref/tables/:table/import': {
    summary: 'Takes in a file of rows, all or none.',
    query: fileQuery,
    upload: TABLE_FILES,
    answer: 'RowEditsAnswer',
  },
  'GET /projects/:ref/tables/:table/export': {
    summary: 'All rows as a file.',
    query: fileQuery,
    answer: TABLE_FILES,
  },
  'GET /projects/:ref/structure-diff': {
    summary: 'How two projects differ in structure.',
    query: structureDiffQuery,
    answer: 'StructureDiff',
  },
  'POST /projects/:ref/sql': {
    summary: 'Runs SQL as the owner or as an identity.',
    body: sqlRequest,
    answer: 'SqlAnswer',
  },
  'GET /projects/:ref/completions': {
    summary: 'Names for the SQL editor.',
    answer: 'SqlCompletions',
  },
}

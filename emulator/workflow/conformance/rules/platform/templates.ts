// Checks of docs/wire/platform.md: publishing and cloning templates.
import { createTenant } from '../../lab/lab.ts'
import { check, type RulesOfPage } from '../../model/check.ts'
import { between, NUMBER, nullOr, TEXT } from '../../model/patterns.ts'
import { refused, send, textAt } from '../../model/steps.ts'
import { dataError, manage, NO_ID, rest } from '../requests.ts'

export const TEMPLATE_RULES: RulesOfPage = {
  publish: {
    checks: [
      check(
        'publishing makes the next version, which new tenants get',
        ['lab', 'owner'],
        function* ({ lab, owner }) {
          const add = 'create table added_later (id int primary key)'
          const source = `/platform/v1/projects/${owner.template.id}/db/exec`
          yield send(manage('POST', source, owner.session, { sql: add }), 200, { error: undefined })
          yield send(
            manage('POST', `/groups/v1/${lab.group.id}/template/publish`, lab.group.key, {}),
            201,
            {
              template: { id: TEXT, slug: `${owner.template.slug}_v2`, name: TEXT },
              source_project_slug: owner.template.slug,
              tables_copied: NUMBER,
              foreign_keys: between(1, 20),
              tenants_na_versao_anterior: between(2, 100),
              aviso: nullOr(TEXT),
            },
          )
          const later = yield* createTenant(lab.group, `${lab.prefix}_later`)
          yield send(rest(later, 'GET', '/added_later', later.anonKey), 200, [])
          yield send(
            rest(lab.home, 'GET', '/added_later', lab.home.anonKey),
            404,
            dataError('PGRST205'),
          )
        },
      ),
      check('the owner publishes with a session and a name', ['lab', 'owner'], ({ lab, owner }) => [
        send(
          manage('POST', `/platform/v1/groups/${lab.group.id}/template/publish`, owner.session, {
            name: 'Named',
            slug: `${lab.prefix}_named`,
          }),
          201,
          { template: { slug: `${lab.prefix}_named`, name: 'Named' } },
        ),
      ]),
      check('another group is 403 forbidden', ['lab'], ({ lab }) => [
        refused(
          manage('POST', '/groups/v1/grp_aaaaaaaaaaaaaaaaaaaa/template/publish', lab.group.key, {}),
          403,
          'forbidden',
        ),
      ]),
      check('a request without a key is 401', ['lab'], ({ lab }) => [
        refused(
          manage('POST', `/groups/v1/${lab.group.id}/template/publish`, undefined, {}),
          401,
          'unauthorized',
        ),
      ]),
    ],
    unchecked: 'fonte_indisponivel and clone_incompleto are failures of the platform itself.',
  },
  clone: {
    checks: [
      check('a tenant has tables, constraints and sequences, and no rows', ['lab'], ({ lab }) => [
        send(rest(lab.neighbour, 'GET', '/shared', lab.neighbour.serviceRoleKey), 200, []),
        send(
          rest(lab.neighbour, 'POST', '/notes', lab.neighbour.serviceRoleKey, {
            json: { body: 'forbidden', owner_id: NO_ID },
          }),
          400,
          dataError('23514'),
        ),
        send(
          rest(lab.neighbour, 'POST', '/notes', lab.neighbour.serviceRoleKey, {
            json: { body: 'first', owner_id: NO_ID },
            headers: { prefer: 'return=representation' },
          }),
          201,
          [{ id: NUMBER, body: 'first' }],
        ),
      ]),
      check('triggers and policies are cloned, too', ['lab', 'emulator'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/stamped', lab.home.serviceRoleKey, {
            json: { id: 1 },
            headers: { prefer: 'return=representation' },
          }),
          201,
          [{ id: 1, stamp: 'by trigger' }],
        ),
        send(rest(lab.home, 'POST', '/inbox', lab.home.anonKey, { json: { body: 'policy' } }), 201),
      ]),
    ],
  },
  'template-unavailable': {
    checks: [
      check(
        'a group without its template is 409 template_indisponivel',
        ['lab', 'owner', 'emulator'],
        function* ({ lab, owner }) {
          const slug = `${lab.prefix}_lost`
          const project = yield send(
            manage('POST', '/platform/v1/projects', owner.session, { name: slug, slug }),
            201,
          )
          const order = { name: slug, template_project_id: `proj_${slug}` }
          const group = yield send(manage('POST', '/platform/v1/groups', owner.session, order), 201)
          const id = textAt(group, 'id')
          const keys = `/platform/v1/groups/${id}/keys`
          const key = textAt(yield send(manage('POST', keys, owner.session, {}), 201), 'key')
          const removal = `/platform/v1/projects/${textAt(project, 'id')}`
          yield send(manage('DELETE', removal, owner.session), between(200, 204))
          yield refused(
            manage('POST', `/groups/v1/${id}/tenants`, key, { slug: `${slug}_1` }),
            409,
            'template_indisponivel',
          )
        },
      ),
    ],
    unchecked: 'A dedicated database belongs to the hosted platform.',
  },
}

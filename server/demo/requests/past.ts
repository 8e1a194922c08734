import { approve, asked, cancel, deny, type Plot, remark } from './plot.ts'

/** Requests from the last weeks: granted, denied, cancelled, failed, and ended since. */
export const past: readonly Plot[] = [
  asked('source-code:repository:order-api:write', 'Test Engineer', 41, 'Refunds move to the order API.', {
    days: 90,
    acts: [approve(5)],
  }),
  asked('crm:territory:americas:edit', 'Account Executive', 40, 'I cover for Toronto in October.', {
    days: 30,
    acts: [approve(20), approve(8)],
    hasEnded: true,
  }),
  asked('vpn:network:servers:connect', 'Software Engineer', 38, 'Reading logs of the gateway.', {
    days: 14,
    acts: [approve(3, 'Fine for two weeks.'), approve(26)],
    hasEnded: true,
  }),
  asked('source-code:repository:infrastructure:admin', 'Platform Engineer', 36, 'Rotate the deploy keys.', {
    days: 1,
    acts: [approve(2, 'Planned rotation.')],
    hasEnded: true,
  }),
  asked('data-warehouse:dataset:finance:read', 'Product Manager', 35, 'Margins for the new probe.', {
    acts: [deny(30, 'The monthly report has these numbers.')],
  }),
  asked('door-access:door:leeds-laboratory:enter', 'Product Designer', 34, 'Photographs of the prototypes.', {
    acts: [approve(4), approve(22), ['provision-complete', 40, 'Badge updated.']],
  }),
  asked('wiki:space:product:edit', 'Support Specialist', 33, 'A page of known problems.', { acts: [approve(7)] }),
  asked('cloud:project:production:editor', 'Senior Software Engineer', 30, 'Migrate the order tables.', {
    days: 2,
    answers: { change: 'CHG-2207', window: 'day', rollback: false },
    acts: [deny(6, 'Not during working hours, and not without a rollback.')],
  }),
  asked('crm:role:discount-approver:assigned', 'Sales Engineer', 29, 'Quotes for the fair.', {
    acts: [deny(18, 'Discounts stay with the regional managers.')],
  }),
  asked('door-access:door:leeds-laboratory:enter', 'Data Analyst', 27, 'Sensors of the climate chamber.', {
    acts: [approve(9), approve(15), ['provision-errored', 50, 'No badge was handed in for two weeks.']],
  }),
  asked('source-code:repository:customer-portal:write', 'Platform Engineer', 26, 'Feature flags.', {
    days: 60,
    acts: [remark(2, 'Which service is this for?'), approve(4), approve(20, 'Known contractor.')],
  }),
  asked('data-warehouse:dataset:sales:read', 'Content Writer', 25, 'Case studies.', {
    acts: [cancel(28, 'I got the numbers from Sales Operations.')],
  }),
  asked('vpn:network:servers:connect', 'Data Engineer', 24, 'Loads fail at night.', {
    days: 7,
    acts: [approve(1), approve(5)],
    hasEnded: true,
  }),
  asked('build-system:pipeline:portal-deployment:run', 'Test Engineer', 22, 'Deploy to the test rigs.', {
    acts: [approve(12)],
  }),
  asked('source-code:repository:design-system:write', 'Software Engineer', 21, 'New form fields.', {
    days: 120,
    acts: [approve(6)],
  }),
  asked('source-code:repository:infrastructure:admin', 'Software Engineer', 19, 'The gateway is down.', {
    days: 1,
    isEmergency: true,
    hasEnded: true,
  }),
  asked('crm:territory:asia-pacific:edit', 'Sales Development Representative', 18, 'New leads from Pune.', {
    days: 60,
    acts: [approve(24), approve(3)],
  }),
  asked('ticketing:project:factory-changes:browse', 'Accountant', 17, 'Costs of change orders.', {
    acts: [approve(10)],
  }),
  asked('data-warehouse:dataset:finance:read', 'Sales Operations Manager', 16, 'Forecast for the first quarter.', {
    days: 90,
    acts: [approve(2)],
  }),
  asked('source-code:repository:order-api:admin', 'Software Engineer', 14, 'Branch protection.', {
    nth: 2,
    days: 1,
    acts: [deny(3, 'Ask the owners of the repository to change it.')],
  }),
  asked('vpn:network:engineering-lab:connect', 'Product Manager', 13, 'Demo for a customer.', { acts: [approve(30)] }),
  asked('wiki:space:engineering:edit', 'Data Scientist', 12, 'Notes on drift.', { acts: [approve(5)] }),
  asked('wiki:space:runbooks:read', 'owner', 11, 'Setting up Bailiwick.', { acts: [approve(2)] }),
  asked('data-warehouse:dataset:measurements:read', 'Marketing Specialist', 10, 'Charts for the fair.', {
    days: 30,
    acts: [approve(4), approve(20)],
  }),
  asked('crm:territory:northern-europe:edit', 'Sales Operations Analyst', 9, 'Clean up duplicates.', {
    days: 14,
    acts: [approve(6), deny(20, 'The nightly job does it now.')],
  }),
  asked('cloud:project:staging:editor', 'Test Engineer', 8, 'Load tests.', { nth: 1, acts: [approve(9)] }),
  asked('vpn:network:servers:connect', 'Data Scientist', 7, 'Models on the new hosts.', {
    days: 10,
    acts: [approve(2), approve(4)],
  }),
]

import { approve, asked, type Plot, remark } from './plot.ts'

/** Open requests, each at a different step of a different policy; and overdue access. */
export const open: readonly Plot[] = [
  // The team of one manager, who has several to decide.
  asked('vpn:network:servers:connect', 'Firmware Engineer', 2.4, 'Core dumps of the gateway.', { days: 14 }),
  asked('vpn:network:servers:connect', 'Firmware Engineer', 2.3, 'The same as for my colleague.', {
    nth: 1,
    days: 14,
    acts: [remark(3, 'Until when do you need this?')],
  }),
  asked('source-code:repository:customer-portal:write', 'Firmware Engineer', 1.9, 'Pairing of new devices.', {
    nth: 2,
    days: 30,
  }),
  asked('data-warehouse:dataset:web-visits:read', 'Firmware Engineer', 1.7, 'Which manuals are read.', { nth: 3 }),
  asked('source-code:repository:infrastructure:write', 'Firmware Engineer', 1.5, 'Build images for the new board.', {
    nth: 1,
    days: 90,
  }),
  asked('source-code:repository:order-api:read', 'Senior Firmware Engineer', 1.4, 'Serial numbers in orders.', {
    days: 180,
  }),
  asked('vpn:network:servers:connect', 'Senior Firmware Engineer', 0.4, 'Update server.', { days: 30 }),
  // Others: for a manager, an owner, a group, people found by an expression, with a form, and with manual provisioning.
  asked('source-code:repository:infrastructure:write', 'Software Engineer', 2.2, 'Terraform modules of the portal.', {
    days: 90,
  }),
  asked('source-code:repository:order-api:write', 'Data Engineer', 2, 'Events for the warehouse.', { days: 60 }),
  asked('vpn:network:servers:connect', 'Buyer', 1.3, 'Prices in the old ERP.', { days: 30, acts: [approve(4)] }),
  asked('crm:territory:southern-europe:edit', 'Account Executive', 1.2, 'Porto asked for help.', {
    nth: 1,
    days: 60,
    acts: [approve(5)],
  }),
  asked('crm:role:sales-manager:assigned', 'Account Executive', 1.1, 'Acting lead until March.', { nth: 2, days: 90 }),
  asked('cloud:project:production:editor', 'Software Engineer', 1, 'Index on the order table.', {
    days: 1,
    answers: { change: 'CHG-2291', window: 'night', rollback: true },
  }),
  asked('cloud:project:production:editor', 'Software Engineer', 0.9, 'A second pair of hands.', { nth: 1, days: 1 }),
  asked('source-code:repository:infrastructure:admin', 'Platform Engineer', 0.8, 'Rename the main branch.', {
    nth: 1,
    days: 1,
  }),
  asked('data-warehouse:dataset:finance:read', 'Firmware Engineer', 0.7, 'Cost per measurement.', { days: 30 }),
  asked('door-access:door:leeds-laboratory:enter', 'Content Writer', 4, 'Interview in the laboratory.', {
    acts: [approve(6), approve(30)],
  }),
  asked('door-access:door:leeds-laboratory:enter', 'Recruiter', 0.6, 'Tours for candidates.'),
  asked('wiki:space:runbooks:read', 'Support Specialist', 0.5, 'Night shift.', { nth: 1 }),
  asked('wiki:space:sales:edit', 'Contracts Manager', 0.3, 'Terms of sale.'),
  asked('wiki:space:engineering:edit', 'owner', 0.25, 'How to request access.'),
  // Has no manager: a Super Administrator decides.
  asked('vpn:network:servers:connect', 'Chief Executive Officer', 0.2, 'Board papers.', { days: 7 }),
  // Stuck: nobody has recorded the training.
  asked('door-access:door:leeds-calibration-room:enter', 'Test Engineer', 1.6, 'Audit of the instruments.'),
  // Overdue: the first sweep asks the owner of the app whether it ends.
  asked('cloud:project:production:editor', 'Senior Software Engineer', 8, 'Capacity for the new region.', {
    nth: 1,
    days: 7,
    answers: { change: 'CHG-2250', window: 'weekend', rollback: true },
    acts: [approve(5, 'Agreed with the platform team.')],
  }),
]

-- The tasks of an app in the order of lists, whatever their state: a page is read from it, among a million tasks as among ten.
create index tasks_in_app on tasks (tenant_id, app_id, task_id);

create role memory_controlplane login password '...' in role memory_service;
alter role memory_controlplane set timezone = 'UTC';
alter role memory_export_reader login password '...';
alter role memory_export_reader set timezone = 'UTC';
create role memory_relay login password '...' in role memory_publisher;

PAGES = ["home", "about"]

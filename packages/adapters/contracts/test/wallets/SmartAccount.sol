// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4337} from "solady/src/accounts/ERC4337.sol";
import {ERC4337Factory} from "solady/src/accounts/ERC4337Factory.sol";

/// @notice Solady's ERC-4337 account, with the entry point of the test and a name for its signatures (ERC-7739).
contract SmartAccount is ERC4337 {
    address private immutable _entryPoint;

    constructor(address entryPoint_) {
        _entryPoint = entryPoint_;
    }

    function entryPoint() public view override returns (address) {
        return _entryPoint;
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Smart Account", "1");
    }
}

/// @notice The same account after an upgrade that forgot to take payments.
contract UnpayableAccount is SmartAccount {
    error NoPayments();

    constructor(address entryPoint_) SmartAccount(entryPoint_) {}

    receive() external payable override {
        revert NoPayments();
    }
}

/// @notice Solady's factory, under a name that the compiler's output shows.
contract SmartAccountFactory is ERC4337Factory {
    constructor(address account) ERC4337Factory(account) {}
}
